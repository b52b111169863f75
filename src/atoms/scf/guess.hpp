#pragma once
#include <vector>

#include "atoms/basis/basis_set.hpp"
#include "atoms/integrals/block_matrix.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "atoms/scf/screening.hpp"

namespace prophet {

/// What the default guess adds to the one-electron Hamiltonian, as matrices over the primitives (LS stays
/// empty): the tabulated screening of each symmetry, or Thomas and Fermi's where there is none. Guess and
/// nucleus together have the right charge near and far.
std::vector<BlockMatrix> guessScreening(const BasisSet& basis, double nuclearCharge, double electrons);

/// The same for one symmetry, on a grid that resolves its functions.
BlockMatrix guessScreening(const SymmetryBasis& symmetry, const RadialGrid& grid, double nuclearCharge,
                           double electrons);
/// The grid for all symmetries of a basis.
RadialGrid guessGrid(const BasisSet& basis);

}  // namespace prophet
