#include "report/coupling_notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "atom/elements.hpp"
#include "atom/shell_list.hpp"
#include "calculation/compute.hpp"
#include "common/constants.hpp"
#include "default_basis/default_basis.hpp"

namespace prophet {
namespace {

/// What a state gains by jj coupling.
struct Coupling {
  std::vector<std::string> shells;  ///< open ones with a large splitting
  double splitting = 0;             ///< the largest of theirs, hartree
  std::string configuration;        ///< the lowest jj configuration
  double gain = 0;                  ///< its energy minus that of the average, 0 or less, hartree
};

double energyOf(const AtomProblem& problem, const DefaultBasis& chosen) {
  BasisMethod method;
  method.basis = chosen.basis;
  method.start = nullptr;
  const Result result = computeOrReason({problem, method});
  return result.ok() ? result.energy.total : std::nan("");
}

/// Energy of the jj configuration minus that of the average, both in the set made for the average.
double gainOf(double z, const std::string& average, const std::string& jj) {
  NucleusRequest request;
  request.charge = z;
  request.model = NuclearModel::Gaussian;
  AtomProblem problem{makeNucleus(request), parseConfiguration(average), {}};
  const auto noLibrary = [](int) { return std::optional<LibraryEntry>(); };
  const DefaultBasis basis =
      chooseBasis(problem, noLibrary);
  const double averaged = energyOf(problem, basis);
  problem.configuration = parseConfiguration(jj);
  return energyOf(problem, basis) - averaged;
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
  if (c.shells.empty()) return c;
  c.gain = gainOf(state.z, state.configuration, c.configuration);
  if (c.gain > 0) c.configuration = state.configuration, c.gain = 0;
  return c;
}

class Couplings {
 public:
  /// Of a state; without any where its configuration cannot be read.
  const Coupling& of(const ComparedResult& state) {
    const auto key = std::make_pair(state.z, state.configuration);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    Coupling c;
    try {
      c = couplingOf(state);
    } catch (const Error&) {
      c = {{}, 0, state.configuration, 0};
    }
    return known_[key] = c;
  }

 private:
  std::map<std::pair<double, std::string>, Coupling> known_;
};

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
  Couplings couplings;
  std::string text;
  for (const EnergyDifference& d : differences) {
    if (d.kind == DifferenceKind::Plain || d.from.z != d.to.z) continue;
    const Coupling from = couplings.of(d.from), to = couplings.of(d.to);
    const double change = to.gain - from.gain;
    if ((from.shells.empty() && to.shells.empty()) || !std::isfinite(change)) continue;
    const Coupling& wider = from.splitting > to.splitting ? from : to;
    text += fmt::format(
        "note: {}: spin-orbit splitting of {} {:.2f} eV; the lowest jj configurations, {} and {}, give "
        "{:.2f} eV\n",
        d.name, fmt::join(wider.shells, " "), wider.splitting * constants::kElectronvoltsPerHartree,
        from.configuration, to.configuration, (d.total + change) * constants::kElectronvoltsPerHartree);
  }
  return text;
}

}  // namespace prophet
