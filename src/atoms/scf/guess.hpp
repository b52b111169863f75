#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/basis/basis_set.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "atoms/scf/fock_operator.hpp"
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

struct ScfResult;

/// Occupied spinors of an earlier calculation, from which another one may start: one entry of `large` and
/// `small` for each symmetry of `basis`, a column over its primitives for each spinor (closed ones first, the
/// open one last).
struct StartSpinors {
  BasisSet basis;
  std::vector<Eigen::MatrixXd> large, small;
};

/// The spinors of a result in the basis that it was computed in.
StartSpinors startSpinors(const BasisSet& basis, const ScfResult& result);

/// Symmetry `a` of `start`, projected onto the functions `basis` of the same symmetry: each component by the
/// overlap of its functions, then orthonormalised in the order of the columns, so that a closed spinor is
/// not changed by the open one. Coefficients over `space`, size() x spinors; empty if the functions cannot
/// represent the spinors (less than half of one is left).
Eigen::MatrixXd projectSpinors(const StartSpinors& start, int a, const SymmetryBasis& basis,
                               const SymmetrySpace& space);

}  // namespace prophet
