#pragma once
#include <numbers>

/// Physical constants of the model, in Hartree atomic units unless a name says otherwise.
namespace prophet::constants {

/// Default speed of light (atomic units); the value of DFRATOM's and Visscher & Dyall's time (CODATA 1998).
inline constexpr double kSpeedOfLight = 137.03599976;
/// Femtometres in one bohr, as in Visscher & Dyall, At. Data Nucl. Data Tables 67, 207 (1997).
inline constexpr double kFemtometresPerBohr = 52917.7249;
/// Angstroms in one bohr, CODATA 2018: units of momentum transfers and scattering factors.
inline constexpr double kAngstromsPerBohr = 0.529177210903;

// For conversions only: CODATA 2022, https://physics.nist.gov/cuu/Constants.
inline constexpr double kElectronvoltsPerHartree = 27.211386245981;
inline constexpr double kInverseCentimetresPerHartree = 219474.63136314;
inline constexpr double kMegahertzPerHartree = 6.5796839204999e9;
inline constexpr double kSecondsPerAtomicTime = 2.4188843265864e-17;
inline constexpr double kProtonElectronMassRatio = 1836.152673426;
/// 1/alpha as measured; calculations take kSpeedOfLight or what the input says.
inline constexpr double kInverseFineStructure = 137.035999177;

/// One barn in bohr^2.
inline constexpr double kBarn = 1e-8 / (kAngstromsPerBohr * kAngstromsPerBohr);

inline constexpr double kPi = std::numbers::pi;

}  // namespace prophet::constants
