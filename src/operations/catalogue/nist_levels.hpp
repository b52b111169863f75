#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "atoms/levels/level_space.hpp"

namespace prophet {

/// Levels of one configuration of an ion in the NIST Atomic Spectra Database (docs/data/nist-levels.csv says
/// which release): 2J and the energy above the ion's ground level, cm^-1, ascending. Configurations with at
/// most one open p, d or f and one open s shell; empty for others, and for rows that cannot be right
/// (docs/data/nist-levels-suspects.csv).
std::vector<std::pair<int, double>> nistLevels(int z, int charge, const LevelSpace::Part& configuration);

/// The ground configuration of an ion and its ionisation energy in the NIST Atomic Spectra Database.
struct NistIonisation {
  std::size_t ground = 0;  ///< among configurations
  double energy = 0;       ///< hartree
};
/// Empty where the database has no energy, or none of these configurations is that of the ground level
/// (docs/data/nist-ionisation-energies.csv).
std::optional<NistIonisation> nistIonisation(int z, int charge,
                                             const std::vector<LevelSpace::Part>& configurations);

}  // namespace prophet
