#include "bases/audit/audit.hpp"

#include <algorithm>
#include <map>

#include "atoms/gradient/energy_gradient.hpp"
#include "atoms/limit/known_limits.hpp"
#include "bases/audit/steepest_exponent.hpp"
#include "bases/audit/trend_remarks.hpp"

namespace prophet {
namespace {

constexpr int kIterations = 100;

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
      method.scf.maxIterations = kIterations;
      method.exponentGradient = task.gradient;
      method.estimateError = true;
      works.push_back(std::move(work));
    }
  }
  // The longest first: nobody waits for them at the end.
  std::stable_sort(works.begin(), works.end(),
                   [](const Work& a, const Work& b) { return a.rows.front()->z > b.rows.front()->z; });
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
        work.calculation = {row.problem, LimitMethod{kIterations}};
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
    method.scf.maxIterations = kIterations;
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

}  // namespace prophet
