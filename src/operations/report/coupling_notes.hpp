#pragma once
#include <string>
#include <vector>

#include "operations/report/energy_difference.hpp"

namespace prophet {

/// Spin-orbit splittings of open shells that need no note, hartree (0.1 eV).
inline constexpr double kSmallSplitting = 0.1 / 27.211386;

/// The configuration of lowest energy of those whose shells `split` ("6p") have their electrons in single
/// spinors, j = l - 1/2 filled first: "[Xe] 4f14 5d10 6s2 6p1/2:2 6p3/2:3". The configuration itself where no
/// such shell is open. Throws ConfigurationError.
std::string lowestJjConfiguration(const std::string& configuration, const std::vector<std::string>& split);

/// A note on each difference of which a state has an open shell, averaged over both j, with a spin-orbit
/// splitting above kSmallSplitting: what the lowest jj configurations give instead, one line each. Computes
/// the energies of these atoms (Dirac-Coulomb, in sets of its own: tens of milliseconds each).
std::string couplingNotes(const std::vector<EnergyDifference>& differences);

}  // namespace prophet
