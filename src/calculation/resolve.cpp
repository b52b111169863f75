#include <fmt/format.h>

#include <cmath>

#include "atom/elements.hpp"
#include "basis/library.hpp"
#include "calculation/calculation.hpp"
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

/// Basis, and the nuclear model that a library set was made for.
void resolveBasis(const Job& job, Calculation& c) {
  switch (job.basisType) {
    case BasisType::WellTempered:
      c.basis = makeWellTempered(job.wellTempered);
      return;
    case BasisType::ReadIn:
      for (std::size_t i = 0; i < job.readInExponents.size(); ++i) {
        c.basis.symmetries.push_back({Symmetry::fromIndex(static_cast<int>(i)), job.readInExponents[i]});
      }
      c.basis.description = "read from the input";
      return;
    case BasisType::None:
      if (!job.nuclearModelGiven && job.type == JobType::Limit)
        c.choices.push_back("nucleus: point; nucmdl=3 is what library sets are for");
      return;
    case BasisType::Library:
      break;
  }
  const int z = wholeCharge(job, "a library basis");
  auto entry = readLibraryEntry(z, job.libraryName, job.basisSets);
  // A user who named no collection gets a set for every element.
  if (!entry && job.libraryName.empty()) entry = readLibraryEntry(z, kCompleteLibrary, job.basisSets);
  if (!entry) {
    throw Error(fmt::format(
        "the library '{}' has no basis set for {}; leave library='...' out of $bas, or give a basis with "
        "bastype='wtbs' or 'rdin'",
        job.libraryName, symbolOf(z)));
  }
  c.basis = makeBasis(*entry);
  c.choices.push_back(fmt::format("basis: {} from the library {}", symbolOf(z), entry->library));
  if (!job.nuclearModelGiven) {
    c.job.nucleus.model = entry->nuclearModel;
    c.choices.push_back(
        fmt::format("nucleus: {}, the model that the set was made for", nameOf(entry->nuclearModel)));
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

Configuration resolveConfiguration(const Job& job, Calculation& c) {
  const ConfigurationRequest& request = job.configuration;
  if (!request.text.empty()) return parseConfiguration(request.text, job.symmetries);
  if (request.groundState) {
    const std::string& ground = groundConfiguration(wholeCharge(job, "the ground configuration"));
    c.choices.push_back(fmt::format("configuration: {}, the neutral atom's ground configuration", ground));
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

/// Symmetries without electrons add nothing to the energy; those beyond the basis cannot hold any.
void fitToConfiguration(Calculation& c) {
  int occupied = 0;
  for (std::size_t a = 0; a < c.configuration.symmetries.size(); ++a) {
    if (c.configuration.occupiedSpinors(static_cast<int>(a)) > 0) occupied = static_cast<int>(a) + 1;
  }
  if (occupied > static_cast<int>(c.basis.symmetries.size())) {
    throw Error(fmt::format(
        "the configuration has electrons in {}, but the basis has only the first {} symmetries; add "
        "functions for it",
        Symmetry::fromIndex(occupied - 1).label(), c.basis.symmetries.size()));
  }
  for (int a = 0; a < occupied; ++a) {
    if (c.configuration.occupiedSpinors(a) > c.basis.symmetries[a].size()) {
      throw Error(fmt::format("{} has {} occupied spinors, but the basis only {} functions there",
                              Symmetry::fromIndex(a).label(), c.configuration.occupiedSpinors(a),
                              c.basis.symmetries[a].size()));
    }
  }
}

void resolveFock(BackendRequest backend, Calculation& c) {
  c.fock = c.job.fock;
  if (c.fock != FockKind::Automatic) return;
  if (backend == BackendRequest::Cuda && c.job.type == JobType::Energy) {
    c.fock = FockKind::Stored;
    c.choices.push_back("Fock matrix: from stored integrals, what the GPU has for one calculation");
    return;
  }
  c.fock = FockKind::Grid;
  c.choices.push_back("Fock matrix: on the grid, exact to the thresholds and the fastest");
}

}  // namespace

Calculation resolve(const Job& job, BackendRequest backend) {
  Calculation c;
  c.job = job;
  resolveBasis(job, c);
  c.nucleus = makeNucleus(c.job.nucleus);
  c.configuration = resolveConfiguration(job, c);
  if (job.type == JobType::Chain && !job.nuclearModelGiven)
    c.choices.push_back("nucleus: gaussian, what sets are made for");
  if (job.basisType == BasisType::None) return c;
  fitToConfiguration(c);
  resolveFock(backend, c);
  return c;
}

}  // namespace prophet
