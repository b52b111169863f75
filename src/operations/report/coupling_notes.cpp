#include "operations/report/coupling_notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/shell_list.hpp"
#include "atoms/calculation/compute.hpp"
#include "atoms/default_basis/default_basis.hpp"
#include "core/common/constants.hpp"

namespace prophet {
namespace {

/// The lowest state in jj coupling.
struct Coupling {
  std::vector<std::string> shells;  ///< open ones with a large splitting
  double splitting = 0;             ///< the largest of theirs, hartree
  std::string configuration;        ///< the lowest jj configuration
};

/// In a set made for this very configuration: states of jj coupling have other spinors than averages.
double energyOf(double z, const std::string& configuration) {
  NucleusRequest request;
  request.charge = z;
  request.model = NuclearModel::Gaussian;
  AtomProblem problem{makeNucleus(request), parseConfiguration(configuration), {}};
  const auto noLibrary = [](int) { return std::optional<LibraryEntry>(); };
  DefaultBasis chosen = chooseBasis(problem, noLibrary);
  const Result result = computeOrReason(calculationIn(std::move(chosen.basis), std::move(problem)));
  return result.ok() ? result.energy.total : std::nan("");
}

/// Splitting of a shell, hartree; 0 where the result does not say.
double splittingOf(const ComparedResult& state, const Shell& shell) {
  const auto low = state.spinors.find(fmt::format("{}{}/2", shell.name(), 2 * shell.l - 1));
  const auto high = state.spinors.find(fmt::format("{}{}/2", shell.name(), 2 * shell.l + 1));
  if (low == state.spinors.end() || high == state.spinors.end()) return 0;
  return high->second.energy - low->second.energy;
}

Coupling couplingOf(const ComparedResult& state) {
  Coupling c;
  for (const Shell& shell : parseShells(state.configuration)) {
    if (shell.twoJ > 0 || shell.l == 0 || shell.full()) continue;
    const double splitting = splittingOf(state, shell);
    if (splitting <= kSmallSplitting) continue;
    c.shells.push_back(shell.name());
    c.splitting = std::max(c.splitting, splitting);
  }
  c.configuration = lowestJjConfiguration(state.configuration, c.shells);
  return c;
}

/// Energies of configurations, each computed once.
class Energies {
 public:
  double of(double z, const std::string& configuration) {
    const auto [place, isNew] = known_.try_emplace({z, configuration}, 0.0);
    if (isNew) place->second = energyOf(z, configuration);
    return place->second;
  }
  /// The lower one of the jj configuration, which is left in `coupling`, and the average.
  double lowest(const ComparedResult& state, Coupling& coupling) {
    const double jj = of(state.z, coupling.configuration);
    if (coupling.shells.empty() || jj <= of(state.z, state.configuration)) return jj;
    coupling.configuration = state.configuration;
    return of(state.z, state.configuration);
  }

 private:
  std::map<std::pair<double, std::string>, double> known_;
};

/// The note on one difference; empty where it needs none.
std::string noteOn(const EnergyDifference& d, Energies& energies) {
  if (d.kind == DifferenceKind::Plain || d.from.z != d.to.z) return "";
  Coupling from = couplingOf(d.from), to = couplingOf(d.to);
  if (from.shells.empty() && to.shells.empty()) return "";
  const double difference = energies.lowest(d.to, to) - energies.lowest(d.from, from);
  if (!std::isfinite(difference)) return "";
  const Coupling& wider = from.splitting > to.splitting ? from : to;
  return fmt::format(
      "note: {}: spin-orbit splitting of {} {:.2f} eV; the lowest jj configurations, {} and {}, give {:.2f} "
      "eV "
      "(Dirac-Coulomb)\n",
      d.name, fmt::join(wider.shells, " "), wider.splitting * constants::kElectronvoltsPerHartree,
      from.configuration, to.configuration, difference * constants::kElectronvoltsPerHartree);
}

}  // namespace

std::string lowestJjConfiguration(const std::string& configuration, const std::vector<std::string>& split) {
  std::vector<Shell> result;
  for (const Shell& shell : parseShells(configuration)) {
    if (shell.full() || std::find(split.begin(), split.end(), shell.name()) == split.end()) {
      result.push_back(shell);
      continue;
    }
    Shell low = shell, high = shell;
    low.twoJ = 2 * shell.l - 1;
    high.twoJ = 2 * shell.l + 1;
    low.electrons = std::min(shell.electrons, low.capacity());
    high.electrons = shell.electrons - low.electrons;
    result.push_back(low);
    result.push_back(high);
  }
  return configurationText(std::move(result));
}

std::string couplingNotes(const std::vector<EnergyDifference>& differences) {
  Energies energies;
  std::string text;
  for (const EnergyDifference& d : differences) {
    try {
      text += noteOn(d, energies);
    } catch (const ConfigurationError&) {
      // an average over a list of configurations: it has no string
    }
  }
  return text;
}

}  // namespace prophet
