#pragma once
#include "matter/madelung/charged_cell.hpp"

namespace prophet {

/// Adds the sum over pairs within a cutoff of q_i q_j erfc(beta r)/r to energy, potentials, fields and
/// virial, and what a sum over Gaussians of width 1/beta counts too much: the charges' own energy and, for a
/// net charge, the uniform background's.
void addRealSpace(const ChargedCell& cell, double beta, double cutoff, int threads, Electrostatics& sums);

}  // namespace prophet
