#pragma once
#include <string>
#include <vector>

#include "atoms/atom/hamiltonian.hpp"
#include "matter/madelung/charged_cell.hpp"

namespace prophet {

/// Ewald's sum as it is written, in double precision and to rounding: the reference. P. P. Ewald, Ann. Phys.
/// 369, 253 (1921); the boundary at infinity conducts ("tin foil"), so that a dipole of the cell costs
/// nothing. `beta`: splitting, 1/bohr; 0: chosen for the least work, which grows as N^1.5. The result does
/// not depend on it. Throws Error if the cell is wrong (check) or the sum has more than 1e11 terms.
Electrostatics directEwald(const ChargedCell& cell, NetCharge netCharge = NetCharge::Refused, int threads = 1,
                           double beta = 0);

/// Greatest common factor of the charges' absolute values; 1 where they have none (within 1e-6 and not below
/// 0.01).
double commonCharge(const Eigen::VectorXd& charges);

/// A in E = - A z^2 / r for one formula unit, r the smallest distance between sites and z the greatest common
/// factor of the charges: the convention of Q. C. Johnson and D. H. Templeton, J. Chem. Phys. 34, 2004
/// (1961), in which NaCl has 1.7476, zinc blende 1.6381 and fluorite 5.0388 whatever the size of the charges.
/// `kinds`: for each site what it is (an element, say); a cell has as many formula units as the greatest
/// common factor of how often each kind occurs.
double madelungConstant(const ChargedCell& cell, const std::vector<std::string>& kinds, double energy);

/// The charged shell that stands for a crystal around one of its ions: the charge of the ion with the other
/// sign, and the radius at which the potential inside is that of all other charges at the site. Spherical
/// averages of point charges are constant up to the nearest neighbour. Throws Error for a site without
/// charge, or where the crystal's potential has the wrong sign to hold it.
ChargedShell shellAround(const ChargedStructure& crystal, Eigen::Index site, int threads = 1);

}  // namespace prophet
