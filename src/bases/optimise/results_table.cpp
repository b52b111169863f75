#include "bases/optimise/results_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "bases/optimise/chain_limit.hpp"
#include "core/common/constants.hpp"

namespace prophet {
namespace {

Calculation calculationFor(const LibraryEntry& ours, const LibraryEntry& set) {
  NucleusRequest nucleus;
  nucleus.model = ours.nuclearModel;
  nucleus.charge = ours.z;
  AtomProblem problem{makeNucleus(nucleus), parseConfiguration(ours.configuration), {}};
  problem.hamiltonian.speedOfLight = ours.provenance.speedOfLight.value_or(constants::kSpeedOfLight);
  return calculationIn(makeBasis(set), std::move(problem));
}

/// "33s+ 30p- 27p+ ... | 155 | 4.6e-09 |".
std::string cells(const LibraryEntry& set, const Result& outcome, double limit) {
  int sum = 0;
  for (const int n : set.spec.functions) sum += n;
  const std::string error =
      outcome.ok() ? fmt::format("{:.1e}", (outcome.energy.total - limit) / std::abs(limit)) : outcome.reason;
  return fmt::format(" {} | {} | {} |", sizesText(set.spec.functions), sum, error);
}

}  // namespace

std::string resultsTable(const std::string& ours, const std::string& other, EnergyService& service,
                         const std::vector<int>& elements, const std::filesystem::path& basisSets,
                         const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<LibraryEntry> sets;
  std::vector<Calculation> calculations;
  std::vector<bool> hasOther;
  std::vector<double> limits;
  std::string name = ours;
  for (const int z : libraryElements(ours, basisSets)) {
    if (!elements.empty() && std::count(elements.begin(), elements.end(), z) == 0) continue;
    const LibraryEntry mine = *readLibraryEntry(z, ours, basisSets);
    name = mine.library;
    if (!mine.provenance.limit) continue;
    limits.push_back(*mine.provenance.limit);
    sets.push_back(mine);
    calculations.push_back(calculationFor(mine, mine));
    const auto theirs = other.empty() ? std::nullopt : readLibraryEntry(z, other, basisSets);
    hasOther.push_back(theirs.has_value());
    if (!theirs) continue;
    sets.push_back(*theirs);
    calculations.push_back(calculationFor(mine, *theirs));
  }
  std::size_t finished = 0;
  const std::vector<Result> outcomes = service.evaluateAll(calculations, [&](std::size_t, const Result&) {
    if (progress) progress(++finished, calculations.size());
  });
  std::string text = fmt::format("| Z | | {} | functions | error |", name);
  if (!other.empty()) text += fmt::format(" {} | functions | error |", other);
  text += other.empty() ? "\n| --- | --- | --- | --- | --- |\n"
                        : "\n| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  std::size_t at = 0;
  for (std::size_t row = 0; row < limits.size(); ++row) {
    text += fmt::format("| {} | {} |", sets[at].z, symbolOf(sets[at].z));
    text += cells(sets[at], outcomes[at], limits[row]);
    ++at;
    if (hasOther[row]) {
      text += cells(sets[at], outcomes[at], limits[row]);
      ++at;
    } else if (!other.empty()) {
      text += " | | |";
    }
    text += "\n";
  }
  return text;
}

}  // namespace prophet
