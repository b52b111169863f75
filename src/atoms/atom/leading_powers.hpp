#pragma once
#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/symmetry.hpp"

namespace prophet {

/// Powers of r that the radial functions P and Q of a spinor start with at the nucleus.
struct LeadingPowers {
  double large, small;
};

/// Those of a field that is finite at r = 0, which Gaussian functions have too: l + 1 and lSmall + 1.
LeadingPowers analyticPowers(Symmetry symmetry);

/// Those of an exact solution: the same for a nucleus of finite size, gamma = sqrt(kappa^2 - (Z/c)^2) of both
/// for a point. A point of Z >= |kappa| c has no such solution: gamma is 0 then. Non-relativistic
/// (`speedOfLight` infinite): l + 1, of both, as Q vanishes.
LeadingPowers leadingPowers(const Nucleus& nucleus, Symmetry symmetry, double speedOfLight);

}  // namespace prophet
