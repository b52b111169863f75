#pragma once
#include "matter/madelung/charged_cell.hpp"

namespace prophet {

/// Ewald's sum as it is written, in double precision and to rounding: the reference. P. P. Ewald, Ann. Phys.
/// 369, 253 (1921); the boundary at infinity conducts ("tin foil"), so that a dipole of the cell costs
/// nothing. `beta`: splitting, 1/bohr; 0: chosen for the least work, which grows as N^1.5. The result does
/// not depend on it. Throws Error if the cell is wrong (check) or the sum has more than 1e11 terms.
Electrostatics directEwald(const ChargedCell& cell, NetCharge netCharge = NetCharge::Refused, int threads = 1,
                           double beta = 0);

}  // namespace prophet
