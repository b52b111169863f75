#include "bases/optimise/correlating_search.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/breit/breit.hpp"
#include "atoms/correlation/added_functions.hpp"
#include "atoms/fock/grid_builder.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "atoms/scf/scf.hpp"
#include "bases/optimise/correlating_functions.hpp"
#include "bases/optimise/minimiser.hpp"
#include "bases/optimise/outer_response.hpp"
#include "core/common/error.hpp"

namespace prophet {

bool hasValencePairs(int z) {
  constexpr int kFirstGroup[] = {1, 3, 11, 19, 37, 55, 87};
  return std::ranges::find(kFirstGroup, z) == std::end(kFirstGroup);
}

bool hasOuterCore(int z) { return z > 2; }

namespace {

/// Which shells of the ground configuration are valence, and which of the others are inner ones.
struct ShellRoles {
  std::vector<Shell> valence;
  CorrelatedShells correlated;
};

ShellRoles rolesOf(int z, bool withOuterCore, const std::string& configuration) {
  constexpr int kNobleGases[] = {2, 10, 18, 36, 54, 86};
  int row = 1;
  for (const int noble : kNobleGases) row += z > noble ? 1 : 0;
  const int block = blockOf(z);
  // Row of the periodic table minus n, from which on a shell counts as valence.
  const auto isValence = [&](const Shell& s) {
    if (s.n == row) return s.l <= 1;
    return (s.l == 2 && s.n == row - 1 && block >= 2) || (s.l == 3 && s.n == row - 2 && block == 3);
  };
  const auto isInner = [&](const Shell& s) {
    if (withOuterCore) return s.n == row - 1 || (s.n == row - 2 && (block == 0 || block == 2));
    return block == 0 && s.n == row - 1 && s.l <= 1;
  };
  ShellRoles roles;
  for (const Shell& s : parseShells(configuration)) {
    if (s.electrons == 0) continue;
    (isValence(s) ? roles.valence
     : isInner(s) ? roles.correlated.inner
                  : roles.correlated.frozen)
        .push_back(s);
  }
  roles.correlated.virtualOnly = block >= 2;
  return roles;
}

ShellRoles rolesOf(int z, bool withOuterCore) { return rolesOf(z, withOuterCore, groundConfiguration(z)); }

}  // namespace

CorrelatedShells valenceOf(int z) {
  if (!hasValencePairs(z))
    throw Error(fmt::format("the valence of {} has one electron and no energy of second order", symbolOf(z)));
  return correlatedShells(z);
}

std::vector<Shell> valenceShells(int z) { return rolesOf(z, false, valenceConfiguration(z)).valence; }

CorrelatedShells correlatedShells(int z) { return rolesOf(z, false).correlated; }

CorrelatedShells coreValenceOf(int z) {
  if (!hasOuterCore(z)) throw Error(fmt::format("{} has no core", symbolOf(z)));
  return rolesOf(z, true).correlated;
}

namespace {

constexpr double kNearest = 1.35, kNearestToSet = 1.2;
constexpr double kWorthMoving = 1e-6;  // of the energy
/// It belongs to p functions that polarise the outermost s shell of d and f blocks: without it they go to
/// the shells below, whose energies are larger.
const double kAboveOuterS = std::log(3.0);
/// From the centre inwards, of one function that polarises p blocks with d electrons in the core: the list of
/// those serves as a second one and pushes it further out than bonds want it (Br2, I2).
const double kBesideCoreList = std::log(1.2);
/// The range of f functions that polarise d shells and have none above them in the set ends so far (ln)
/// above the centre.
const double kAboveF = std::log(2.0);
/// The steep d of Al to Ar has so many times the steepest correlating exponent (docs/theory/molecules.md).
constexpr double kSteepRatio = 4.3;
constexpr double kWall = 0.05;  // hartree for a unit of ln zeta beyond a bound, squared

/// What the search looks for, by l.
struct CorrelatingList {
  int l = 0, count = 0;
  double lowest = 0, highest = 0;  ///< ln of the centres of the valence spinors
  std::vector<double> known;       ///< ln of the set's exponents
  double below = 2.5,
         above = 4.0;  ///< ln of how far beyond the lowest and the highest centre functions may lie
  double least() const { return lowest - below; }
  double most() const { return highest + above; }
  /// The nearest place without walls on the other side of the exponent whose wall a function is at.
  std::optional<double> beyondWall(double log) const {
    const double reach = std::log(kNearestToSet);
    const auto wall = std::ranges::find_if(known, [&](double k) { return std::abs(log - k) < reach; });
    if (wall == known.end()) return {};
    const double step = *wall < log ? -reach : reach;
    double at = *wall + 1.5 * step;
    while (at > least() && at < most()) {
      if (std::ranges::none_of(known, [&](double k) { return std::abs(at - k) < reach; })) return at;
      at += step;
    }
    return {};
  }
};

/// The wall between functions that are nearly dependent, and at the ends of the range; its derivatives are
/// added to those of the list.
class Walls {
 public:
  Walls(const CorrelatingList& list, std::vector<double>& gradient) : list_(list), gradient_(gradient) {}

  double of(const std::vector<double>& logs) {
    for (std::size_t i = 0; i < logs.size(); ++i) {
      add(list_.least() - logs[i], i, -1);
      add(logs[i] - list_.most(), i, 1);
      for (std::size_t j = 0; j < i; ++j) {
        const double side = logs[i] < logs[j] ? 1 : -1;
        const double force = add(std::log(kNearest) - std::abs(logs[i] - logs[j]), i, side);
        gradient_[j] -= side * force;
      }
      for (const double known : list_.known)
        add(std::log(kNearestToSet) - std::abs(logs[i] - known), i, logs[i] < known ? 1 : -1);
    }
    return penalty_;
  }

 private:
  /// `slope`: of what is beyond the wall, where function i moves up. Its derivative, without the sign.
  double add(double beyond, std::size_t i, double slope) {
    if (beyond <= 0) return 0;
    penalty_ += kWall * beyond * beyond;
    gradient_[i] += slope * 2 * kWall * beyond;
    return 2 * kWall * beyond;
  }

  const CorrelatingList& list_;
  std::vector<double>& gradient_;
  double penalty_ = 0;
};

/// The atom and its ions in the same set: the weighted sum of their energies of second order is what counts.
class CorrelatedStates {
 public:
  CorrelatedStates(const AtomProblem& atom, BasisSet basis, CorrelatedShells shells,
                   std::vector<AddedList> ranges)
      : basis_(std::move(basis)),
        shells_(std::move(shells)),
        ranges_(std::move(ranges)),
        atom_(atom, basis_, shells_, ranges_) {}

  AddedFunctions& atom() { return atom_; }
  /// Whether the ion counts: not where second order means nothing for it.
  bool addIon(const AtomProblem& problem, double weight) {
    auto ion = std::make_unique<AddedFunctions>(problem, basis_, shells_, ranges_);
    if (ion->smallestGap() <= 0) return false;
    ions_.push_back({std::move(ion), weight});
    return true;
  }
  AddedEnergy energyAndGradient(const std::vector<AddedList>& lists) {
    AddedEnergy sum = atom_.energyAndGradient(lists);
    for (const Ion& ion : ions_) {
      const AddedEnergy own = ion.functions->energyAndGradient(lists);
      sum.energy += ion.weight * own.energy;
      for (std::size_t i = 0; i < lists.size(); ++i)
        for (std::size_t p = 0; p < own.gradient[i].size(); ++p)
          sum.gradient[i][p] += ion.weight * own.gradient[i][p];
    }
    return sum;
  }

 private:
  struct Ion {
    std::unique_ptr<AddedFunctions> functions;
    double weight = 0;
  };
  BasisSet basis_;
  CorrelatedShells shells_;
  std::vector<AddedList> ranges_;
  AddedFunctions atom_;
  std::vector<Ion> ions_;
};

/// What is minimised, the energy and the walls, as a function of ln zeta of all functions, list after list.
class CorrelatingSearch {
 public:
  CorrelatingSearch(CorrelatedStates& functions, std::vector<CorrelatingList> lists)
      : functions_(functions), lists_(std::move(lists)) {}

  double operator()(const Eigen::VectorXd& logs, Eigen::VectorXd& gradient) {
    const std::vector<std::vector<double>> own = split(logs);
    AddedEnergy found = functions_.energyAndGradient(added(own));
    ++evaluations_;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      std::vector<double>& slopes = found.gradient[i];
      for (std::size_t p = 0; p < slopes.size(); ++p)
        if (own[i][p] < lists_[i].least() || own[i][p] > lists_[i].most()) slopes[p] = 0;
      found.energy += Walls(lists_[i], slopes).of(own[i]);
    }
    auto at = gradient.begin();
    for (const std::vector<double>& slopes : found.gradient) at = std::copy(slopes.begin(), slopes.end(), at);
    return found.energy;
  }

  /// Centre and ln of the ratio of each list, as variables.
  Eigen::VectorXd evenTempered() const {
    std::vector<double> x;
    for (const CorrelatingList& list : lists_) {
      const double spread = list.highest - list.lowest;
      const double ratio = list.count > 3 ? std::log(2.5) : std::log(3.0);
      x.push_back(0.5 * (list.highest + list.lowest) + (spread > 1.0 ? 0.25 : 0.0));
      if (list.count > 1) x.push_back(std::clamp(spread / (list.count - 1), 0.9 * ratio, 1.6 * ratio));
    }
    return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
  }
  /// Times them: ln zeta of all functions.
  Eigen::MatrixXd ofEvenTempered() const {
    const Eigen::Index columns = evenTempered().size();
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(functionCount(), columns);
    Eigen::Index row = 0, column = 0;
    for (const CorrelatingList& list : lists_) {
      for (int i = 0; i < list.count; ++i, ++row) {
        m(row, column) = 1;
        if (list.count > 1) m(row, column + 1) = i - 0.5 * (list.count - 1);
      }
      column += list.count > 1 ? 2 : 1;
    }
    return m;
  }
  /// The functions, within the range, exponents ascending.
  std::vector<AddedList> functionsAt(const Eigen::VectorXd& logs) const {
    std::vector<AddedList> all = added(split(logs));
    for (AddedList& list : all) std::ranges::sort(list.exponents);
    return all;
  }
  /// Each function that is at the wall of one of the set's exponents put on the other side of it, one at a
  /// time; those of which that side lies within the range.
  std::vector<Eigen::VectorXd> beyondWalls(const Eigen::VectorXd& logs) const {
    std::vector<Eigen::VectorXd> all;
    Eigen::Index place = 0;
    for (const CorrelatingList& list : lists_)
      for (int i = 0; i < list.count; ++i, ++place)
        if (const auto beyond = list.beyondWall(logs(place))) {
          all.push_back(logs);
          all.back()(place) = *beyond;
        }
    return all;
  }
  int evaluations() const { return evaluations_; }

 private:
  Eigen::Index functionCount() const {
    Eigen::Index count = 0;
    for (const CorrelatingList& list : lists_) count += list.count;
    return count;
  }
  std::vector<std::vector<double>> split(const Eigen::VectorXd& logs) const {
    std::vector<std::vector<double>> all;
    auto at = logs.begin();
    for (const CorrelatingList& list : lists_) {
      all.emplace_back(at, at + list.count);
      at += list.count;
    }
    return all;
  }
  std::vector<AddedList> added(const std::vector<std::vector<double>>& logs) const {
    std::vector<AddedList> all;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      AddedList& list = all.emplace_back(AddedList{lists_[i].l, {}});
      for (const double x : logs[i])
        list.exponents.push_back(std::exp(std::clamp(x, lists_[i].least(), lists_[i].most())));
    }
    return all;
  }

  CorrelatedStates& functions_;
  std::vector<CorrelatingList> lists_;
  int evaluations_ = 0;
};

/// l of the valence, ascending.
std::vector<int> valenceLs(int z) {
  std::vector<int> ls;
  for (const Shell& s : valenceShells(z)) ls.push_back(s.l);
  std::ranges::sort(ls);
  ls.erase(std::unique(ls.begin(), ls.end()), ls.end());
  return ls;
}

ScfResult fieldOf(const AtomProblem& problem, const BasisSet& basis) {
  ThreadPool alone(1);
  const auto builder = makeGridBuilder(basis, fockGrid(basis), TwoElectronOperator::Coulomb, alone);
  ScfResult scf = runScf({basis, problem.nucleus, problem.configuration, problem.hamiltonian.speedOfLight},
                         *builder, {}, alone);
  if (!scf.converged) throw NotConvergedError("the SCF in the set did not converge");
  return scf;
}

AtomProblem inValenceConfiguration(int z, AtomProblem problem) {
  problem.configuration = parseConfiguration(valenceConfiguration(z));
  return problem;
}

/// ln of a set's exponents of an l.
std::vector<double> logsIn(const BasisSet& basis, int l) {
  std::vector<double> logs;
  if (const auto upper = static_cast<std::size_t>(2 * l); upper < basis.symmetries.size())
    for (const double zeta : basis.symmetries[upper].exponents) logs.push_back(std::log(zeta));
  return logs;
}

/// p functions of d and f blocks: for the outermost s shell, from which the ground of Pd lacks its electron.
bool polarisesS(int z, int l) { return blockOf(z) > 1 && l == 1 && valenceLs(z).front() == 0; }

std::vector<CorrelatingList> listsFor(int z, const AtomProblem& problem, const BasisSet& basis,
                                      const std::vector<FunctionCount>& counts) {
  const ScfResult scf = fieldOf(inValenceConfiguration(z, problem), basis);
  const std::vector<int> ls = valenceLs(z);
  std::vector<CorrelatingList> lists;
  for (const FunctionCount& count : counts) {
    CorrelatingList list{count.l,
                         count.count,
                         std::numeric_limits<double>::infinity(),
                         -std::numeric_limits<double>::infinity(),
                         {}};
    const bool forS = polarisesS(z, count.l);
    for (const int l : ls) {
      if (forS && l > 0) continue;
      const double centre = std::log(valenceCentre(basis, scf, l, count.l));
      list.lowest = std::min(list.lowest, centre);
      list.highest = std::max(list.highest, centre);
    }
    if (list.count == 1 && !forS) {
      const int l = blockOf(z) == 0 ? 0 : ls.back();
      list.lowest = list.highest = std::log(valenceCentre(basis, scf, l, count.l));
    }
    list.known = logsIn(basis, count.l);
    if (forS) list.above = kAboveOuterS;
    if (blockOf(z) == 1 && count.l == 2 && count.count == 1 && !list.known.empty())
      list.below = -kBesideCoreList;
    lists.push_back(std::move(list));
  }
  return lists;
}

/// Bonds of Al to Ar need a d function where the valence has little to correlate.
bool needsSteepD(int z, const FunctionCount& count) {
  return z >= 13 && z <= 18 && count.l == 2 && count.count > 1;
}

/// Several functions of an l lie from half way between the valence and the outer core on, in the logarithm:
/// those of the valence are there already. One lies at the outermost spinor of the outer core. d functions of
/// Al to Ar do not lie among those that correlate the valence, where least energy would have one.
std::vector<CorrelatingList> coreListsFor(int z, const AtomProblem& problem, const BasisSet& basis,
                                          const std::vector<FunctionCount>& counts) {
  const ScfResult scf = fieldOf(problem, basis);
  const ShellRoles roles = rolesOf(z, true);
  std::vector<CorrelatingList> lists;
  for (const FunctionCount& count : counts) {
    CorrelatingList list{count.l, count.count, 0, std::numeric_limits<double>::infinity(),
                         logsIn(basis, count.l)};
    for (const Shell& s : roles.correlated.inner)
      list.highest = std::min(list.highest, std::log(spinorCentre(basis, scf, s.n, s.l, count.l)));
    double outermost = list.highest;
    for (const int l : valenceLs(z))
      outermost = std::min(outermost, std::log(valenceCentre(basis, scf, l, count.l)));
    list.lowest = count.count == 1 ? list.highest : 0.5 * (outermost + list.highest);
    if (needsSteepD(z, count) && list.known.size() > 1) {
      std::ranges::sort(list.known, std::greater());
      list.below = list.lowest - 0.5 * (list.known[0] + list.known[1]);
    }
    lists.push_back(std::move(list));
  }
  return lists;
}

/// ln zeta of all functions and what is minimised there.
struct FoundFunctions {
  Eigen::VectorXd logs;
  double value = 0;
};

/// Centres and ratios of the lists, then all exponents; then functions that end at the wall of one of the
/// set's exponents, beyond which there may be another minimum, are tried on its other side.
FoundFunctions minimised(CorrelatingSearch& search, const CorrelatingSearchOptions& options) {
  BfgsOptions minimiser;
  minimiser.firstStep = options.step;
  minimiser.maxEvaluations = options.maxEvaluations;
  const auto minimum = [&](const Eigen::MatrixXd& logsOf, const Eigen::VectorXd& from, double tolerance) {
    minimiser.tolerance = tolerance;
    const ValueAndGradient value = [&](const Eigen::VectorXd& x, Eigen::VectorXd& gradient, bool&) {
      Eigen::VectorXd byLogs(logsOf.rows());
      const double energy = search(logsOf * x, byLogs);
      gradient = logsOf.transpose() * byLogs;
      return energy;
    };
    const Minimum found = minimiseByBfgs(value, {from.begin(), from.end()}, minimiser);
    return FoundFunctions{logsOf * Eigen::Map<const Eigen::VectorXd>(found.x.data(), from.size()),
                          found.value};
  };
  const Eigen::VectorXd even =
      minimum(search.ofEvenTempered(), search.evenTempered(), 100 * options.tolerance).logs;
  const Eigen::MatrixXd each = Eigen::MatrixXd::Identity(even.size(), even.size());
  FoundFunctions best = minimum(each, even, options.tolerance);
  for (int round = 0; round < options.mostMoves; ++round) {
    const double before = best.value;
    for (const Eigen::VectorXd& logs : search.beyondWalls(best.logs)) {
      const FoundFunctions moved = minimum(each, logs, options.tolerance);
      if (moved.value < before - kWorthMoving * std::abs(before)) {
        best = moved;
        break;
      }
    }
    if (best.value == before) break;
  }
  return best;
}

CorrelatingSearchResult searched(const AtomProblem& problem, const BasisSet& basis,
                                 const CorrelatedShells& shells, std::vector<CorrelatingList> lists,
                                 const std::vector<AtomProblem>& ions,
                                 const CorrelatingSearchOptions& options,
                                 const std::function<std::string(int)>& groupOf) {
  std::vector<AddedList> ranges;
  for (const CorrelatingList& list : lists)
    ranges.push_back({list.l, {std::exp(list.least()), std::exp(list.most())}});
  CorrelatingSearchResult result;
  CorrelatedStates states(problem, basis, shells, ranges);
  AddedFunctions& functions = states.atom();
  if (options.ionWeight > 0)
    for (const AtomProblem& ion : ions)
      if (states.addIon(ion, options.ionWeight)) result.ionWeight = options.ionWeight;
  CorrelatingSearch search(states, std::move(lists));
  Eigen::VectorXd logs = search.ofEvenTempered() * search.evenTempered();
  result.startEnergy = functions.energy(search.functionsAt(logs));
  if (functions.smallestGap() > 0) logs = minimised(search, options).logs;
  const std::vector<AddedList> added = search.functionsAt(logs);
  for (const AddedList& list : added) result.groups.push_back({groupOf(list.l), list.l, list.exponents});
  result.energy = functions.energy(added);
  result.smallestGap = functions.smallestGap();
  result.evaluations = search.evaluations() + 2;
  return result;
}

/// Functions that polarise the valence of d and f blocks, by response: by energies of second order they would
/// go to the d shell, which they correlate, and bonds would lack them. What is found is taken from the lists.
std::vector<AddedList> polarisingFunctions(int z, const AtomProblem& problem, const BasisSet& basis,
                                           std::vector<CorrelatingList>& lists) {
  const std::vector<Shell> valence = valenceShells(z);
  const auto shellOf = [&](int l) { return *std::ranges::find(valence, l, &Shell::l); };
  std::vector<AddedList> found;
  for (CorrelatingList& list : lists) {
    const bool forS = polarisesS(z, list.l);
    if (!forS && !(blockOf(z) == 2 && list.l == 3 && list.count > 1)) continue;
    const double outermost =
        list.known.empty() ? list.highest + kAboveF : *std::ranges::min_element(list.known);
    const OuterList outer{list.l, forS ? list.count : 1, outermost};
    const std::vector<double> exponents = worthwhileResponding(problem, basis, shellOf(forS ? 0 : 2), outer);
    if (exponents.empty()) continue;
    found.push_back({list.l, exponents});
    list.count -= static_cast<int>(exponents.size());
    for (const double zeta : found.back().exponents) list.known.push_back(std::log(zeta));
  }
  std::erase_if(lists, [](const CorrelatingList& list) { return list.count == 0; });
  return found;
}

bool isHalogen(int z) {
  constexpr int kHalogens[] = {9, 17, 35, 53, 85, 117};
  return std::ranges::find(kHalogens, z) != std::end(kHalogens);
}

/// The functions of highest l of a halogen once more, for the neutral atom alone: no bond leaves a halogen as
/// its positive ion is, for which they lie further in than single bonds want them (docs/theory/molecules.md).
void followAtomAlone(const AtomProblem& problem, const BasisSet& basis, const CorrelatedShells& shells,
                     const CorrelatingList& list, const CorrelatingSearchOptions& options,
                     CorrelatingSearchResult& result) {
  if (result.ionWeight == 0) return;
  std::vector<AddedList> others;
  for (const FunctionGroup& group : result.groups)
    if (group.l != list.l) others.push_back({group.l, group.exponents});
  const CorrelatingSearchResult alone = searched(problem, withLists(basis, others), shells, {list}, {},
                                                 options, [&](int) { return result.groups.back().name; });
  if (alone.smallestGap <= 0 || alone.energy > result.energy) return;
  std::ranges::find(result.groups, list.l, &FunctionGroup::l)->exponents = alone.groups.front().exponents;
  result.energy = alone.energy;
  result.evaluations += alone.evaluations;
}

/// The positive ion of an atom in whose valence two electrons remain, if the set has functions for it.
std::vector<AtomProblem> positiveIons(int z, const AtomProblem& atom, const BasisSet& basis) {
  double electrons = 0;
  for (const Shell& s : valenceShells(z)) electrons += s.electrons;
  if (electrons < 3) return {};
  AtomProblem ion = atom;
  ion.configuration = parseConfiguration(defaultConfiguration(z, 1).text);
  if (ion.configuration.occupiedSymmetries() > static_cast<int>(basis.symmetries.size())) return {};
  return {ion};
}

}  // namespace

CorrelatingSearchResult searchCorrelating(int z, const AtomProblem& problem, const BasisSet& basis,
                                          const std::vector<FunctionCount>& counts,
                                          const CorrelatingSearchOptions& options) {
  const auto groupOf = [polarising = std::max(1, blockOf(z) + 1)](int l) {
    return kFunctionGroups[l <= polarising ? 0 : 1];
  };
  std::vector<FunctionCount> correlating = counts;
  const auto steep =
      std::ranges::find_if(correlating, [&](const FunctionCount& count) { return needsSteepD(z, count); });
  if (steep != correlating.end()) --steep->count;
  std::vector<CorrelatingList> lists = listsFor(z, problem, basis, correlating);
  std::vector<AddedList> polarising;
  if (options.byResponse)
    polarising = polarisingFunctions(z, inValenceConfiguration(z, problem), basis, lists);
  const BasisSet polarised = withLists(basis, polarising);
  CorrelatingSearchResult result =
      searched(problem, polarised, valenceOf(z), lists, positiveIons(z, problem, basis), options, groupOf);
  const CorrelatingList& highest = *std::ranges::max_element(lists, {}, &CorrelatingList::l);
  if (isHalogen(z) && highest.l > 2)
    followAtomAlone(problem, polarised, valenceOf(z), highest, options, result);
  if (steep != correlating.end()) {
    std::vector<double>& exponents = std::ranges::find(result.groups, 2, &FunctionGroup::l)->exponents;
    exponents.push_back(kSteepRatio * exponents.back());
  }
  for (const AddedList& list : polarising) {
    const auto same = std::ranges::find(result.groups, list.l, &FunctionGroup::l);
    if (same == result.groups.end()) {
      result.groups.insert(result.groups.begin(), {groupOf(list.l), list.l, list.exponents});
    } else {
      same->exponents.insert(same->exponents.begin(), list.exponents.begin(), list.exponents.end());
      std::ranges::sort(same->exponents);
    }
  }
  result.byResponse = !polarising.empty();
  return result;
}

CorrelatingSearchResult searchCore(int z, const AtomProblem& problem, const BasisSet& basis,
                                   const std::vector<FunctionCount>& counts,
                                   const CorrelatingSearchOptions& options) {
  return searched(problem, basis, coreValenceOf(z), coreListsFor(z, problem, basis, counts), {}, options,
                  [](int) { return kCoreGroup; });
}

}  // namespace prophet
