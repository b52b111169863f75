#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/basis/basis_set.hpp"
#include "atoms/scf/symmetry_space.hpp"

namespace prophet {

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
