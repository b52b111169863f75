#pragma once
#include "atoms/atom/symmetry.hpp"

namespace prophet {

/// Reduced matrix element <kappa||[C^L x sigma]^J||kappa'> between spherical spinors (their orbital parts are
/// the l() of each argument; pass Symmetry{-kappa} for the angular part of a small component), in the
/// convention
///   <kappa m|T^J_M|kappa' m'> = (-1)^(j-m) 3j(j J j'; -m M m') <kappa||T^J||kappa'>.
/// Zero where l + L + l' is odd or a triangle fails. Used for the Breit interaction
/// (docs/theory.md, "Angular factors of the Breit interaction"). Source of the conventions: Varshalovich et
/// al., Quantum Theory of Angular Momentum (1988), chapter 13.
double reducedSpinTensor(Symmetry bra, int rankL, int rankJ, Symmetry ket);

}  // namespace prophet
