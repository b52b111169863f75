#pragma once
#include "atoms/atom/nucleus.hpp"

namespace prophet {

/// integral r^n exp(-p r^2) (-V(r)/Z) dr for even n >= 2, V the electron's potential energy: closed forms for
/// point and Gaussian nuclei, incomplete gamma functions for the sphere. Throws Error for a Fermi nucleus,
/// which has none.
double nuclearAttraction(const Nucleus& nucleus, int n, double p);

/// Spacing in ln r with which the attraction of a Fermi nucleus is integrated to rounding: its density has
/// poles at r = c +- i pi a, an angle of atan(pi a / c) (0.2 or more) off the real axis.
inline constexpr double kFermiSpacing = 0.03;

}  // namespace prophet
