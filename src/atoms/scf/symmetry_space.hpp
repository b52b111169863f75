#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/integrals/block_matrix.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "core/linalg/orthonormalise.hpp"

namespace prophet {

/// One symmetry's matrices in an orthonormal basis of its large and small functions (large ones first).
/// The rest-mass term -2c^2 is then exactly diagonal, and the kinetic block comes from the Cholesky factor
/// itself: no digit of either depends on how close to dependent the primitives are.
struct SymmetrySpace {
  OrthonormalBasis large, small;
  Eigen::MatrixXd kinetic;  ///< c (d/dr + kappa/r): rows small, columns large
  /// Without small components (two-component and non-relativistic Hamiltonians): c alpha.p transformed, and
  /// twice the kinetic energy without relativity; else empty.
  Eigen::MatrixXd momentum{};
  Eigen::MatrixXd nuclear;  ///< V, block diagonal, size() x size()
  Eigen::MatrixXd core;     ///< one-electron Hamiltonian, size() x size()

  int largeSize() const { return static_cast<int>(large.x.cols()); }
  int smallSize() const { return static_cast<int>(small.x.cols()); }
  int size() const { return largeSize() + smallSize(); }
};

/// Prepares one symmetry. `threshold`: see orthonormalise. `c`: speed of light, atomic units.
SymmetrySpace makeSymmetrySpace(const OneElectronMatrices& matrices, double c, double threshold);

/// <c alpha.p> of a density matrix over the space.
double momentumOf(const SymmetrySpace& space, const Eigen::MatrixXd& density);

/// Transforms a matrix over primitives (LS may be empty: zero) into the orthonormal basis: result = X^T M X.
/// `result` and `work` keep their storage between calls.
void transformToSpace(const SymmetrySpace& space, const BlockMatrix& m, Eigen::MatrixXd& work,
                      Eigen::MatrixXd& result);

}  // namespace prophet
