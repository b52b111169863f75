#pragma once
#include <optional>

namespace prophet {

/// Mass of the electron, dalton (CODATA 2022).
inline constexpr double kElectronMass = 5.485799090441e-4;

/// Whether an element may have an isotope of this mass number: from that of its protons alone to twice as
/// many neutrons and two, beyond which there are but resonances of the lightest elements.
inline bool mayBeIsotope(int z, double massNumber) { return massNumber >= z && massNumber <= 3 * z + 2; }

/// Mass of a neutral atom of an isotope in its ground state, dalton (src/data/atomic-masses.csv, AME2020).
/// Empty where none was measured.
std::optional<double> atomicMass(int z, int massNumber);

/// Mass of its nucleus: without the electrons, but with their binding energy of 14.4381 Z^2.39 + 1.55468e-6
/// Z^5.35 eV (D. Lunney, J. M. Pearson and C. Thibault, Rev. Mod. Phys. 75 (2003) 1021).
std::optional<double> nuclearMass(int z, int massNumber);

}  // namespace prophet
