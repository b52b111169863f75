#pragma once
#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/symmetry.hpp"

namespace prophet {

/// rho(0) over the mean of rho over the nuclear charge distribution, rho being the density of a spinor: from
/// the regular solution of the radial equations at the nucleus, begun by its power series. Only s1/2 and p1/2
/// have a density at r = 0 (others: 0). `shift`: the potential energy of the spinor there without that of the
/// nucleus, minus its energy, hartree; a thousandth of the potential of the nucleus. `slowness`: 1/c^2 in
/// atomic units, 0 without relativity. The nucleus must have a size.
double centreOverMean(const Nucleus& nucleus, Symmetry symmetry, double shift, double slowness);

}  // namespace prophet
