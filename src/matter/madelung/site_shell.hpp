#pragma once
#include "atoms/atom/hamiltonian.hpp"
#include "matter/madelung/charged_structure.hpp"

namespace prophet {

/// The charged shell that stands for a crystal around one of its ions: the charge of the ion with the other
/// sign, and the radius at which the potential inside is that of all other charges at the site. Spherical
/// averages of point charges are constant up to the nearest neighbour. Throws Error for a site without
/// charge, or where the crystal's potential has the wrong sign to hold it.
ChargedShell shellAround(const ChargedStructure& crystal, Eigen::Index site, int threads = 1);

}  // namespace prophet
