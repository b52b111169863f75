#pragma once

/// Physical constants of the model, in Hartree atomic units unless a name says otherwise.
namespace prophet::constants {

/// Default speed of light (atomic units); the value of DFRATOM's and Visscher & Dyall's time (CODATA 1998).
inline constexpr double kSpeedOfLight = 137.03599976;
/// Femtometres in one bohr, as in Visscher & Dyall, At. Data Nucl. Data Tables 67, 207 (1997).
inline constexpr double kFemtometresPerBohr = 52917.7249;

}  // namespace prophet::constants
