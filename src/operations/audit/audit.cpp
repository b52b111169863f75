#include "operations/audit/audit.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/gradient/energy_gradient.hpp"
#include "atoms/limit/known_limits.hpp"
#include "bases/collections/second_order_limits.hpp"
#include "bases/optimise/correlating_search.hpp"
#include "core/common/error.hpp"
#include "core/common/threads.hpp"
#include "operations/audit/exponent_remarks.hpp"
#include "operations/audit/may_lack.hpp"
#include "operations/jobs/basis_source.hpp"

namespace prophet {

template <>
const Names<AuditLimits>& namesOf() {
  static const Names<AuditLimits> kNames = {
      {"known", AuditLimits::Known}, {"compute", AuditLimits::Compute}, {"estimate", AuditLimits::Estimate}};
  return kNames;
}

struct SteepestExponent {
  double slope = 0;   ///< |dE/d ln zeta|, hartree
  std::string place;  ///< "f 3": the third-largest exponent of the list f
};

namespace {

/// The exponent with the largest derivative, of occupied lists. `gradient`: dE/d ln zeta for each symmetry of
/// `basis` in the order of its exponents; symmetries that share a list add up, so that a set is stationary
/// where the energy is stationary in the exponents that the set has. Empty where there is no gradient.
std::optional<SteepestExponent> steepestExponent(const std::vector<ExponentList>& lists,
                                                 const BasisSet& basis,
                                                 const std::vector<Eigen::VectorXd>& gradient) {
  if (gradient.empty()) return std::nullopt;
  SteepestExponent steepest;
  for (const ExponentList& list : lists) {
    if (!list.occupied) continue;
    for (std::size_t i = 0; i < list.exponents.size(); ++i) {
      double slope = 0;
      for (const int a : list.symmetries) {
        const std::vector<double>& own = basis.symmetries[a].exponents;
        const auto at = std::ranges::find(own, list.exponents[i]);
        if (static_cast<std::size_t>(a) < gradient.size() && at != own.end())
          slope += gradient[a](at - own.begin());
      }
      if (std::abs(slope) > steepest.slope)
        steepest = {std::abs(slope), fmt::format("{} {}", list.label, i + 1)};
    }
  }
  return steepest;
}

/// A calculation of the audit, and the rows that wait for its result.
struct Work {
  Calculation calculation;
  std::vector<AuditRow*> rows;
};

std::vector<Work> energiesOf(const AuditTask& task, std::vector<AuditedSet>& sets) {
  std::vector<Work> works;
  for (AuditedSet& set : sets) {
    for (AuditRow& row : set.rows) {
      if (!row.failure.empty()) continue;
      Work work{calculationIn(row.basis, row.problem), {&row}};
      BasisMethod& method = work.calculation.inBasis();
      if (task.gradient) method.scf = tightThresholds();
      method.scf.maxIterations = kJudgedIterations;
      method.exponentGradient = task.gradient;
      method.estimateError = true;
      works.push_back(std::move(work));
    }
  }
  // The longest first: nobody waits for them at the end.
  std::ranges::stable_sort(
      works, [](const Work& a, const Work& b) { return a.rows.front()->z > b.rows.front()->z; });
  return works;
}

/// Gives the rows the limits that are known; the others become work, one for each atom.
std::vector<Work> limitsOf(const AuditTask& task, std::vector<AuditedSet>& sets) {
  std::map<int, Work, std::greater<>> works;
  if (task.limits == AuditLimits::Estimate) return {};
  const KnownLimits table(task.basisSets);
  for (AuditedSet& set : sets) {
    for (AuditRow& row : set.rows) {
      if (!row.failure.empty()) continue;
      const auto known = task.limits == AuditLimits::Known ? table.of(row.problem) : std::nullopt;
      if (known) {
        row.limit = known->energy;
        row.limitError = known->estimatedError;
        row.limitSource = "table";
      } else {
        Work& work = works[row.z];
        work.calculation = {row.problem, LimitMethod{kJudgedIterations}};
        work.rows.push_back(&row);
      }
    }
  }
  std::vector<Work> list;
  for (auto& [z, work] : works) list.push_back(std::move(work));
  return list;
}

void takeEstimate(const BasisError& error, AuditRow& row) {
  row.estimate = error.value;
  row.prolapse = error.prolapse;
  row.resolution = error.resolution;
  for (std::size_t a = 0; a < error.symmetryErrors.size(); ++a) {
    const int l = Symmetry::fromIndex(static_cast<int>(a)).l();
    if (row.shares.empty() || row.shares.back().l != l) row.shares.push_back({l});
    row.shares.back().error += error.symmetryErrors[a];
    row.shares.back().prolapse += error.symmetryProlapses[a];
  }
}

void takeEnergy(const Result& result, AuditRow& row) {
  if (!result.ok()) {
    row.failure = result.reason;
    return;
  }
  row.energy = result.energy.total;
  if (result.basisError) takeEstimate(*result.basisError, row);
  if (const auto steepest = steepestExponent(row.lists, row.basis, result.exponentGradient)) {
    row.gradient = steepest->slope;
    row.gradientAt = steepest->place;
  }
  for (const Warning& warning : result.warnings)
    if (warning.id != "basis_poor" && warning.id != "prolapse")
      row.remarks.push_back({warning.id, "", warning.text});
}

/// Energies that do not converge to the gradient's thresholds once more with the ordinary ones, without it.
void easeThresholds(EnergyService& service, std::vector<Calculation>& calculations,
                    std::vector<Result>& results) {
  for (std::size_t i = 0; i < calculations.size(); ++i) {
    if (calculations[i].isLimit() || !calculations[i].inBasis().exponentGradient ||
        results[i].status != Status::NotConverged)
      continue;
    BasisMethod& method = calculations[i].inBasis();
    method.scf = ScfOptions();
    method.scf.maxIterations = kJudgedIterations;
    method.exponentGradient = false;
    results[i] = service.evaluate(calculations[i]);
  }
}

void takeLimit(const Result& result, AuditRow& row) {
  if (!result.ok()) {
    row.remarks.push_back({"no_limit", "", "the limit could not be computed: " + result.reason});
    return;
  }
  row.limit = result.energy.total;
  row.limitError = result.limit->estimatedError;
  row.limitSource = "computed";
}

void subtract(AuditRow& row) {
  if (!row.energy) return;
  if (row.limit) {
    row.minusLimit = *row.energy - *row.limit;
  } else if (row.estimate) {
    row.minusLimit = row.estimate;
    row.limitSource = "estimate";
  }
}

/// The second-order energy of these shells in the set with some of its groups; a remark where there is none.
std::optional<double> secondOrderOf(AuditRow& row, const std::vector<FunctionGroup>& groups,
                                    const CorrelatedShells& shells, const char* remark) {
  try {
    return secondOrderIn(row.problem, withGroups(row.basis, groups), shells);
  } catch (const Error& error) {
    row.remarks.push_back({remark, "", error.what()});
    return std::nullopt;
  }
}

/// The tables that come with the program.
struct SecondOrderLimits {
  std::map<int, SecondOrderLimit> valence, coreValence;
};

void addSecondOrder(const AuditTask& task, const SecondOrderLimits& limits, AuditRow& row) {
  if (!row.failure.empty()) return;
  const auto limitIn = [&](const std::map<int, SecondOrderLimit>& table) {
    const auto limit = table.find(row.z);
    const bool known = limit != table.end() && row.problem.nucleus.model == NuclearModel::Gaussian;
    return known ? std::optional(limit->second.energy) : std::nullopt;
  };
  if (task.secondOrder && hasValencePairs(row.z)) {
    row.secondOrderLimit = limitIn(limits.valence);
    row.secondOrder = secondOrderOf(row, valenceGroups(row.groups), valenceOf(row.z), "no_second_order");
  }
  if (task.coreValence && hasOuterCore(row.z)) {
    row.coreValenceLimit = limitIn(limits.coreValence);
    row.coreValence =
        secondOrderOf(row, coreValenceGroups(row.groups), coreValenceOf(row.z), "no_core_valence");
  }
}

/// The heaviest atoms first.
void addSecondOrders(const AuditTask& task, std::vector<AuditedSet>& sets) {
  std::vector<AuditRow*> rows;
  for (AuditedSet& set : sets)
    for (AuditRow& row : set.rows) rows.push_back(&row);
  std::ranges::stable_sort(rows, [](const AuditRow* a, const AuditRow* b) { return a->z > b->z; });
  const SecondOrderLimits limits{readSecondOrderLimits(task.basisSets),
                                 readCoreValenceLimits(task.basisSets)};
  ThreadPool(task.threads).forEach(static_cast<int>(rows.size()), [&](int i, int) {
    addSecondOrder(task, limits, *rows[static_cast<std::size_t>(i)]);
  });
}

}  // namespace

void computeAudit(const AuditTask& task, EnergyService& service, std::vector<AuditedSet>& sets,
                  const AuditProgress& progress) {
  std::vector<Work> works = limitsOf(task, sets);
  for (Work& work : energiesOf(task, sets)) works.push_back(std::move(work));
  std::vector<Calculation> calculations;
  for (Work& work : works) calculations.push_back(std::move(work.calculation));
  std::size_t finished = 0;
  std::vector<Result> results = service.evaluateAll(calculations, [&](std::size_t, const Result&) {
    if (progress) progress(++finished, calculations.size());
  });
  easeThresholds(service, calculations, results);
  for (std::size_t i = 0; i < works.size(); ++i)
    for (AuditRow* row : works[i].rows)
      calculations[i].isLimit() ? takeLimit(results[i], *row) : takeEnergy(results[i], *row);
  for (AuditedSet& set : sets) {
    for (AuditRow& row : set.rows) subtract(row);
    addTrendRemarks(set.rows);
  }
  if (task.secondOrder || task.coreValence) addSecondOrders(task, sets);
}

namespace {

double quantityOf(const AuditShare& share, bool prolapse) { return prolapse ? share.prolapse : share.lack(); }

const AuditShare* shareOf(const AuditRow& row, int l) {
  for (const AuditShare& share : row.shares)
    if (share.l == l) return &share;
  return nullptr;
}

/// Logarithms of less would follow rounding.
double logarithmOf(const AuditRow& row, const AuditShare& share, bool prolapse) {
  return std::log(std::max(quantityOf(share, prolapse), row.resolution));
}

/// The difference below which there is nothing to speak of.
double floorOf(const AuditRow& row) {
  return std::max({kOutlierShare * std::abs(row.energy.value_or(0)), kOutlierHartree, row.resolution});
}

void addErrorOutlier(const std::vector<AuditRow>& rows, AuditRow& row, const AuditShare& share,
                     bool prolapse) {
  std::vector<TrendPoint> points;
  for (const AuditRow& other : rows)
    if (const AuditShare* its = shareOf(other, share.l))
      points.push_back({other.z, logarithmOf(other, *its, prolapse)});
  const auto trend = trendAt(row.z, points);
  if (!trend) return;
  const double value = quantityOf(share, prolapse), expected = std::exp(trend->expected);
  const double far = std::max(std::log(kOutlierFactor), kScatters * trend->scatter);
  if (value - expected < floorOf(row) || std::log(value) - trend->expected < far) return;
  const std::string letter(1, letterOfL(share.l));
  row.remarks.push_back(
      {prolapse ? "prolapse_outlier" : "error_outlier", letter,
       fmt::format("{}: {} {:.2e} hartree instead of the {:.2e} expected from its neighbours: {:.2e} more",
                   letter, prolapse ? "prolapse of" : "lacks", value, expected, value - expected)});
}

const ExponentList* listOf(const AuditRow& row, const ExponentList& like) {
  for (const ExponentList& list : row.lists)
    if (list.label == like.label && list.exponents.size() == like.exponents.size()) return &list;
  return nullptr;
}

/// The smaller of the gaps beside exponent i, in ln zeta.
double gapBeside(const std::vector<double>& zeta, std::size_t i) {
  double gap = INFINITY;
  if (i > 0) gap = std::min(gap, std::log(zeta[i - 1] / zeta[i]));
  if (i + 1 < zeta.size()) gap = std::min(gap, std::log(zeta[i] / zeta[i + 1]));
  return gap;
}

/// What the neighbours' exponents number i lead to expect; empty where too few have lists of this size.
std::optional<TrendValue> exponentTrend(const std::vector<AuditRow>& rows, const ExponentList& list, int z,
                                        std::size_t i) {
  std::vector<TrendPoint> points;
  for (const AuditRow& other : rows)
    if (const ExponentList* its = listOf(other, list))
      points.push_back({other.z, std::log(its->exponents[i])});
  return trendAt(z, points);
}

/// "3, 5-7" of places counted from 0.
std::string placesText(const std::vector<std::size_t>& places) {
  std::string text;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::size_t begin = k;
    while (k + 1 < places.size() && places[k + 1] == places[k] + 1) ++k;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", places[begin] + 1);
    if (k > begin) text += fmt::format("-{}", places[k] + 1);
  }
  return text;
}

void addExponentOutliers(const std::vector<AuditRow>& rows, const ExponentList& list,
                         std::vector<AuditRemark>& remarks, int z) {
  std::vector<std::size_t> off;
  std::size_t furthest = 0;
  double largest = 0, expected = 0;
  for (std::size_t i = 0; i < list.exponents.size(); ++i) {
    const auto trend = exponentTrend(rows, list, z, i);
    if (!trend) return;
    const double distance = std::abs(std::log(list.exponents[i]) - trend->expected);
    if (distance < std::max(kExponentShare * gapBeside(list.exponents, i), kScatters * trend->scatter))
      continue;
    off.push_back(i);
    if (distance <= largest) continue;
    largest = distance;
    furthest = i;
    expected = std::exp(trend->expected);
  }
  if (off.empty()) return;
  remarks.push_back(
      {"exponent_outlier", list.label,
       fmt::format("{}: exponent{} {} (of {}) {} off the trend of the neighbours: number {} is {:.4g}, "
                   "expected about {:.4g}",
                   list.label, off.size() > 1 ? "s" : "", placesText(off), list.exponents.size(),
                   off.size() > 1 ? "are" : "is", furthest + 1, list.exponents[furthest], expected)});
}

}  // namespace

void addTrendRemarks(std::vector<AuditRow>& rows) {
  for (AuditRow& row : rows) {
    for (const AuditShare& share : row.shares) {
      addErrorOutlier(rows, row, share, false);
      addErrorOutlier(rows, row, share, true);
    }
    for (const ExponentList& list : row.lists)
      if (list.occupied) addExponentOutliers(rows, list, row.remarks, row.z);
  }
}

ShortestL shortestL(const AuditRow& row) {
  double sum = 0;
  const AuditShare* most = nullptr;
  for (const AuditShare& share : row.shares) {
    const double lack = std::max(0.0, share.lack());
    sum += lack;
    if (!most || lack > most->lack()) most = &share;
  }
  return sum > 0 ? ShortestL{letterOfL(most->l), std::max(0.0, most->lack()) / sum} : ShortestL{};
}

namespace {

bool isFile(const std::string& word) {
  std::error_code failure;
  return std::filesystem::is_regular_file(word, failure) || word.find_first_of("./\\") != std::string::npos;
}

bool wanted(const AuditTask& task, int z) {
  return task.elements.empty() || std::ranges::count(task.elements, z) > 0;
}

AuditRow rowOf(const AuditTask& task, int z, BasisSet basis) {
  AuditRow row;
  row.z = z;
  NucleusRequest nucleus;
  nucleus.model = task.nucleus;
  nucleus.charge = z;
  row.problem = {makeNucleus(nucleus), parseConfiguration(groundConfiguration(z)), {}};
  row.basis = std::move(basis);
  row.lists = exponentLists(row.basis, row.problem.configuration);
  for (const ExponentList& list : row.lists)
    if (list.occupied) row.functions += static_cast<int>(list.exponents.size());
  row.overlap = smallestOverlapOf(row.lists);
  row.remarks = gapRemarks(row.lists);
  try {
    requireCovered(row.basis, row.problem.configuration);
  } catch (const Error& error) {
    row.failure = error.what();
  }
  return row;
}

AuditedSet planCollection(const AuditTask& task, const std::string& name) {
  AuditedSet set{name, name, {}};
  for (const int z : libraryElements(name, task.basisSets)) {
    if (!wanted(task, z)) continue;
    const LibraryEntry entry = *readLibraryEntry(z, name, task.basisSets);
    set.rows.push_back(rowOf(task, z, makeBasis(entry)));
    set.rows.back().groups = entry.groups;
  }
  return set;
}

AuditedSet planFile(const AuditTask& task, const std::string& file) {
  const BasisFileSets read =
      readBasisSets(file, task.elements.size() == 1 ? task.elements.front() : 0, task.format);
  AuditedSet set{std::filesystem::path(file).stem().string(), file, {}};
  for (const auto& [z, basis] : read.sets) {
    if (!wanted(task, z)) continue;
    AuditRow row = rowOf(task, z, basis);
    const ElementBasis& lists = read.lists.at(z);
    if (!lists.name.empty()) set.name = lists.name;
    row.groups = lists.groups;
    for (AuditRemark& remark : shellRemarks(lists)) row.remarks.push_back(std::move(remark));
    set.rows.push_back(std::move(row));
  }
  return set;
}

}  // namespace

std::vector<AuditedSet> planAudit(const AuditTask& task) {
  std::vector<AuditedSet> sets;
  for (const std::string& word : task.sets) {
    sets.push_back(isFile(word) ? planFile(task, word) : planCollection(task, word));
    if (sets.back().rows.empty())
      throw Error(fmt::format("{} has no set for any of the requested elements", word));
  }
  return sets;
}

}  // namespace prophet
