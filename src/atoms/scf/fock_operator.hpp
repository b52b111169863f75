#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/hamiltonian.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "core/common/threads.hpp"
#include "core/linalg/eigen_solver.hpp"

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

/// The one-electron matrices of every symmetry in an orthonormal basis of its functions, contracted ones
/// where the set has them. Two-component and non-relativistic Hamiltonians have no small functions
/// (smallSize() is 0); they are made from all primitives and then contracted. `c`: speed of light, atomic
/// units (without effect on Nonrelativistic). `threshold`: see orthonormalise. Throws Error if the
/// contraction of a symmetry does not fit its primitives or holds a function that is zero.
std::vector<SymmetrySpace> hamiltonianSpaces(const BasisSet& basis, const Nucleus& nucleus,
                                             OneElectronOperator kind, double c, double threshold,
                                             ThreadPool& pool);

/// The positive-energy half of a Dirac operator, decoupled exactly (X2C, one step): with X = C_S C_L^-1 of
/// its positive-energy solutions and R = (1 + X^T X)^(-1/2), both in the orthonormal basis, the Hamiltonian
/// is R [V + K^T X + X^T K + X^T (W - 2c^2) X] R, K the kinetic block, V and W the attraction between large
/// and between small functions. Its eigenvalues are the positive ones of `dirac`. `nuclear` and `momentum`
/// are the operators V and c alpha.p in the same picture. W. Kutzelnigg and W. Liu, J. Chem. Phys. 123,
/// 241102 (2005); normalisation: W. Liu and D. Peng, J. Chem. Phys. 131, 031104 (2009).
SymmetrySpace decoupled(const SymmetrySpace& dirac, double c);

/// p^2/2 + V of the large functions of a Dirac operator with this c.
SymmetrySpace withoutRelativity(const SymmetrySpace& dirac, double c);

/// The space of contracted functions within that of their primitives: `contraction` has a column for each
/// over the primitives; small functions, if the space has any, by restricted kinetic balance of the same
/// ones.
SymmetrySpace contracted(const SymmetrySpace& primitive, const Eigen::MatrixXd& contraction,
                         const Eigen::VectorXd& balance, double c, double threshold);

/// Occupied spinors of one symmetry in the orthonormal basis: a column for each, as SymmetryOccupation has
/// them.
struct SpaceOrbitals {
  Eigen::MatrixXd coefficients;
  Eigen::VectorXd energies;
};

/// A change of a Fock matrix that acts on the occupied spinors only: F + c u^T + u c^T.
struct SpinorCorrection {
  Eigen::MatrixXd c, u;  ///< a column for each spinor whose field differs from F
};

/// What turns the matrix F that `base` = F c comes from into the effective Fock matrix of the spinors c
/// (columns), each of which feels the field of its own: column i of `own` is F_i c_i. For columns of
/// SymmetryOccupation, n their electrons:
///   diagonal and spinor-virtual elements of spinor i from F_i, virtual ones from F;
///   between two closed spinors their common field; between others
///   (n_i F_i - n_j F_j) / (n_i - n_j), which is zero where the energy is stationary under their rotation.
///   Where the occupations are (nearly) equal a finite number stands for the denominator: same zero, bounded
///   steps.
/// Spinors whose field is F itself (closed ones, if `allDiffer` is false) get no column.
SpinorCorrection spinorCorrection(const SymmetryOccupation& occupation, bool allDiffer,
                                  const Eigen::MatrixXd& c, const Eigen::MatrixXd& base,
                                  const Eigen::MatrixXd& own);

/// Matrices of one symmetry in the orthonormal basis, kept between iterations.
struct SymmetryFock {
  Eigen::MatrixXd closed;             ///< h + P, of closed spinors
  std::vector<Eigen::MatrixXd> open;  ///< Q of each open spinor: its own Fock matrix is `closed` minus this
  Eigen::MatrixXd effective;          ///< has all occupied spinors as eigenvectors at convergence
  /// That of the energy by orbital rotations: M - M^T, M = sum_i n_i c_i (F_i c_i)^T.
  Eigen::MatrixXd gradient;
  Eigen::MatrixXd work;
};

/// Fills `fock` from FockBuilder's blocks: `q` points to the first open spinor of this symmetry. Virtual
/// elements of the effective matrix are those of closed spinors; where the symmetry has empty places below
/// its highest spinor and that is open, they are that spinor's, so that the spectrum around it is its own.
/// Formulas: docs/theory/dirac-hartree-fock.md, "Open shells".
void effectiveFock(const SymmetrySpace& space, const SymmetryOccupation& occupation, const BlockMatrix& p,
                   const BlockMatrix* q, const Eigen::MatrixXd& coefficients, SymmetryFock& fock);

}  // namespace prophet
