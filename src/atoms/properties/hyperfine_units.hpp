#pragma once
#include "core/common/constants.hpp"

namespace prophet {

/// Unit of hyperfine constants A: MHz for mu_I/I = 1 nuclear magneton, 1/(2 c m_p) in Gaussian atomic units.
inline constexpr double kMegahertzOfDipole =
    constants::kMegahertzPerHartree /
    (2 * constants::kInverseFineStructure * constants::kProtonElectronMassRatio);
/// Unit of B: twice the energy in MHz for Q = 1 barn.
inline constexpr double kMegahertzOfQuadrupole = 2 * constants::kMegahertzPerHartree * constants::kBarn;

}  // namespace prophet
