#pragma once
#include <string>
#include <vector>

#include "matter/madelung/charged_cell.hpp"

namespace prophet {

/// Greatest common factor of the charges' absolute values; 1 where they have none (within 1e-6 and not below
/// 0.01).
double commonCharge(const Eigen::VectorXd& charges);

/// A in E = - A z^2 / r for one formula unit, r the smallest distance between sites and z the greatest common
/// factor of the charges: the convention of Q. C. Johnson and D. H. Templeton, J. Chem. Phys. 34, 2004
/// (1961), in which NaCl has 1.7476, zinc blende 1.6381 and fluorite 5.0388 whatever the size of the charges.
/// `kinds`: for each site what it is (an element, say); a cell has as many formula units as the greatest
/// common factor of how often each kind occurs.
double madelungConstant(const ChargedCell& cell, const std::vector<std::string>& kinds, double energy);

}  // namespace prophet
