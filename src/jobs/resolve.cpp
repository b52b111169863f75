#include "jobs/resolve.hpp"

#include <fmt/format.h>

#include <cmath>

#include "atom/elements.hpp"
#include "atom/ion_configuration.hpp"
#include "basis/coverage.hpp"
#include "basis/library.hpp"
#include "common/error.hpp"

namespace prophet {
namespace {

/// The collection that has every element; the default one need not.
constexpr const char* kCompleteLibrary = "universal";

int wholeCharge(const Job& job, const std::string& what) {
  const double z = job.nucleus.charge;
  if (z != std::floor(z) || z < 1 || z > kLastElement) {
    throw Error(
        fmt::format("{} needs a whole nuclear charge from 1 to {}; znuc is {}", what, kLastElement, z));
  }
  return static_cast<int>(z);
}

/// Everything that a job leaves open, as it becomes data.
struct Resolving {
  const Job& job;
  NucleusRequest nucleus;
  BasisSet basis;
  std::vector<std::string> choices;
};

void resolveLibraryBasis(Resolving& r) {
  const int z = wholeCharge(r.job, "a library basis");
  auto entry = readLibraryEntry(z, r.job.libraryName, r.job.basisSets);
  // A user who named no collection gets a set for every element.
  if (!entry && r.job.libraryName.empty()) entry = readLibraryEntry(z, kCompleteLibrary, r.job.basisSets);
  if (!entry) {
    throw Error(fmt::format(
        "the library '{}' has no basis set for {}; leave library='...' out of $bas, or give a basis with "
        "bastype='wtbs' or 'rdin'",
        r.job.libraryName, symbolOf(z)));
  }
  r.basis = makeBasis(*entry);
  r.choices.push_back(fmt::format("basis: {} from the library {}", symbolOf(z), entry->library));
}

/// One rule: point where the input brings its own functions, which is how the thesis used them; else
/// Gaussian, what library sets are made for.
void resolveNucleus(Resolving& r) {
  if (r.job.nuclearModelGiven) return;
  const bool own = r.job.basisType == BasisType::WellTempered || r.job.basisType == BasisType::ReadIn;
  const bool point = own && r.job.type != JobType::Chain;
  r.nucleus.model = point ? NuclearModel::Point : NuclearModel::Gaussian;
  r.choices.push_back(point ? "nucleus: point, the default where the input brings its own functions"
                            : "nucleus: Gaussian, the default but where the input brings its own functions");
}

void resolveBasis(Resolving& r) {
  switch (r.job.basisType) {
    case BasisType::WellTempered:
      r.basis = makeWellTempered(r.job.wellTempered);
      return;
    case BasisType::ReadIn:
      for (std::size_t i = 0; i < r.job.readInExponents.size(); ++i) {
        r.basis.symmetries.push_back({Symmetry::fromIndex(static_cast<int>(i)), r.job.readInExponents[i]});
      }
      r.basis.description = "read from the input";
      return;
    case BasisType::None:
      return;
    case BasisType::Library:
      resolveLibraryBasis(r);
  }
}

std::vector<OpenOccupations> wholeNumbers(const std::vector<std::vector<double>>& list) {
  std::vector<OpenOccupations> rows;
  for (const auto& row : list) {
    OpenOccupations occupations;
    for (const double n : row) {
      if (n != std::floor(n)) throw Error(fmt::format("an occupation must be a whole number, not {}", n));
      occupations.push_back(static_cast<int>(n));
    }
    rows.push_back(occupations);
  }
  return rows;
}

Configuration resolveConfiguration(Resolving& r) {
  const Job& job = r.job;
  const ConfigurationRequest& request = job.configuration;
  if (!request.text.empty()) return parseConfiguration(request.text, job.symmetries);
  if (request.groundState) {
    const std::string ground = ionConfiguration(wholeCharge(job, "the ground configuration"), request.charge);
    const std::string whose = request.charge == 0  ? "the neutral atom's ground configuration"
                              : request.charge > 0 ? "the electrons of the largest n and l are taken away"
                                                   : "that of the neutral atom with as many electrons";
    r.choices.push_back(fmt::format("configuration: {}, {}", ground, whose));
    return parseConfiguration(ground, job.symmetries);
  }
  std::vector<bool> open;
  for (const int n : request.open) open.push_back(n != 0);
  if (request.freeElectrons == 0) {
    return averageConfigurations(request.closed, std::vector<bool>(request.closed.size(), false), {{}},
                                 "closed shells");
  }
  const auto list =
      request.autogen ? allDistributions(open, request.freeElectrons) : wholeNumbers(request.list);
  return averageConfigurations(
      request.closed, open, list,
      fmt::format("average of {} configuration{}", list.size(), list.size() == 1 ? "" : "s"));
}

FockKind resolveFock(BackendRequest backend, Resolving& r) {
  if (r.job.fock != FockKind::Automatic) return r.job.fock;
  if (backend == BackendRequest::Cuda && r.job.type == JobType::Energy) {
    r.choices.push_back("Fock matrix: from stored integrals, what the GPU has for one calculation");
    return FockKind::Stored;
  }
  r.choices.push_back("Fock matrix: on the grid, exact to the thresholds and the fastest");
  return FockKind::Grid;
}

}  // namespace

ResolvedJob resolve(const Job& job, BackendRequest backend) {
  Resolving r{job, job.nucleus, {}, {}};
  resolveNucleus(r);
  resolveBasis(r);
  AtomProblem problem{makeNucleus(r.nucleus), resolveConfiguration(r), job.hamiltonian};
  Calculation calculation{std::move(problem), LimitMethod{job.scf.maxIterations}};
  if (job.type != JobType::Limit) {
    BasisMethod method;
    method.scf = job.scf;
    if (job.basisType != BasisType::None) {
      requireCovered(r.basis, calculation.problem.configuration);
      method.fock = resolveFock(backend, r);
      method.basis = std::move(r.basis);
    }
    calculation.method = std::move(method);
  }
  return {job, std::move(calculation), std::move(r.choices)};
}

}  // namespace prophet
