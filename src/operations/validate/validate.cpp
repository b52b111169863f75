#include "operations/validate/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "atoms/atom/elements.hpp"
#include "atoms/calculation/compute.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {
namespace {

constexpr int kIterations = 100;

Calculation calculationOf(const ValidationTask& task, int z, const std::string& configuration) {
  Job job;
  job.nucleus.charge = z;
  job.libraryName = task.collection;
  job.basisSets = task.basisSets;
  job.hamiltonian = task.hamiltonian;
  job.configuration.text = configuration;
  if (task.model && task.against == ValidateAgainst::Limit) {
    job.nucleus.model = *task.model;
    job.nuclearModelGiven = true;
  }
  return resolve(job).calculation;
}

std::vector<ValidationRow> planElement(const ValidationTask& task, int z) {
  ValidationRow row;
  row.z = z;
  row.configuration = groundConfiguration(z);
  row.speedOfLight = constants::kSpeedOfLight;
  row.oneElectron = task.hamiltonian.oneElectron;
  try {
    row.nucleus = calculationOf(task, z, row.configuration).problem.nucleus;
  } catch (const Error& e) {
    row.failure = e.what();
  }
  return {row};
}

std::vector<ValidationRow> planFigures(const ValidationTask& task, int z,
                                       const std::vector<ReferenceEnergy>& figures) {
  std::vector<ValidationRow> rows;
  for (const ReferenceEnergy& figure : figures) {
    if (figure.z != z || (task.model && figure.nucleus.model != *task.model)) continue;
    ValidationRow row;
    row.z = z;
    row.configuration = figure.configuration;
    row.nucleus = figure.nucleus;
    row.speedOfLight = figure.speedOfLight;
    row.reference = figure;
    rows.push_back(row);
  }
  return rows;
}

/// A figure for just this atom, where there is one: shown beside the limit.
std::optional<ReferenceEnergy> figureFor(const ValidationRow& row,
                                         const std::vector<ReferenceEnergy>& figures) {
  for (const ReferenceEnergy& f : figures) {
    const bool same = f.z == row.z && f.nucleus.hasShapeOf(row.nucleus) &&
                      f.configuration == row.configuration && f.speedOfLight == row.speedOfLight;
    if (same) return f;
  }
  return std::nullopt;
}

void computeLimit(const ValidationTask& task, const AtomProblem& problem, ValidationRow& row) {
  const Result limit = compute({problem, LimitMethod{kIterations}}, {task.threads});
  row.limitSeconds = limit.seconds("total");
  if (!limit.ok()) throw Error("the limit did not converge");
  row.limit = limit.energy.total;
  row.limitError = limit.limit->estimatedError;
  for (const EnergyPart& part : correctionsOf(limit.energy)) row.parts.push_back({part.id, 0, part.value});
}

void computeBasis(const ValidationTask& task, const Calculation& c, ValidationRow& row) {
  const Result r = compute(c, {task.threads});
  const BasisSet& basis = c.inBasis().basis;
  row.basis = basis.description.substr(0, basis.description.find(','));
  const std::size_t occupied = c.problem.configuration.symmetries.size();
  for (std::size_t a = 0; a < std::min(basis.symmetries.size(), occupied); ++a)
    row.functions += basis.symmetries[a].size();
  row.basisSeconds = r.seconds("total");
  if (!r.ok()) throw Error("the energy in the basis set did not converge");
  row.basisEnergy = r.energy.total;
  for (ValidationPart& part : row.parts) part.basis = r.energy.value(part.id);
}

void judge(const ValidationTask& task, ValidationRow& row) {
  const bool againstLimit = task.against == ValidateAgainst::Limit;
  const auto& difference = againstLimit ? row.basisMinusLimit : row.limitMinusReference;
  if (!difference || !row.failure.empty()) return;
  const bool certain = row.limitError <= task.threshold * std::abs(*row.limit);
  if (!certain)
    row.failure = fmt::format("the limit's estimated error, {:.1e} hartree, is too large", row.limitError);
  const bool partsAgree = std::all_of(row.parts.begin(), row.parts.end(), [&](const ValidationPart& part) {
    return std::abs(part.basis - part.limit) <= task.threshold * std::abs(*row.limit);
  });
  row.passed = certain && partsAgree && std::abs(*difference) <= task.threshold;
}

}  // namespace

double defaultThreshold(ValidateAgainst against) { return against == ValidateAgainst::Limit ? 5e-9 : 1e-10; }

std::vector<ValidationRow> planValidation(const ValidationTask& task) {
  const std::vector<ReferenceEnergy> figures = shippedReferenceEnergies(task.basisSets);
  std::vector<ValidationRow> plan;
  for (const int z : task.elements) {
    auto rows = task.against == ValidateAgainst::Limit ? planElement(task, z) : planFigures(task, z, figures);
    for (ValidationRow& row : rows) {
      const bool dirac = task.hamiltonian.isFourComponent();  // as the figures
      if (!row.reference && dirac) row.reference = figureFor(row, figures);
      plan.push_back(std::move(row));
    }
  }
  return plan;
}

void validateRow(const ValidationTask& task, ValidationRow& row) {
  if (!row.failure.empty()) return;
  const auto calculation = [&] {
    Calculation c = calculationOf(task, row.z, row.configuration);
    c.problem.nucleus = row.nucleus;
    c.problem.hamiltonian.speedOfLight = row.speedOfLight;
    c.inBasis().scf.maxIterations = kIterations;
    return c;
  };
  try {
    computeLimit(task, calculation().problem, row);
    if (row.reference) {
      const double reference = row.reference->energy;
      row.limitMinusReference = (*row.limit - reference) / std::abs(reference);
    }
  } catch (const Error& e) {
    row.failure = e.what();
  }
  try {
    computeBasis(task, calculation(), row);
    if (row.limit) row.basisMinusLimit = (*row.basisEnergy - *row.limit) / std::abs(*row.limit);
  } catch (const Error& e) {
    (task.against == ValidateAgainst::Limit && row.failure.empty() ? row.failure : row.note) = e.what();
    row.parts.clear();
  }
  judge(task, row);
}

std::vector<ValidationRow> validate(const ValidationTask& task,
                                    const std::function<void(const ValidationRow&)>& finished) {
  std::vector<ValidationRow> rows = planValidation(task);
  for (ValidationRow& row : rows) {
    validateRow(task, row);
    if (finished) finished(row);
  }
  return rows;
}

}  // namespace prophet
