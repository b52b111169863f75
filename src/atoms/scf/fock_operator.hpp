#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/scf/symmetry_space.hpp"

namespace prophet {

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
  /// Of the energy with respect to orbital rotations: M - M^T, M = sum_i n_i c_i (F_i c_i)^T.
  Eigen::MatrixXd gradient;
  Eigen::MatrixXd work;
};

/// Fills `fock` from FockBuilder's blocks: `q` points to the first open spinor of this symmetry. Virtual
/// elements of the effective matrix are those of closed spinors; where the symmetry has empty places below
/// its highest spinor and that is open, they are that spinor's, so that the spectrum around it is its own.
/// Formulas: docs/theory.md, "Open shells".
void effectiveFock(const SymmetrySpace& space, const SymmetryOccupation& occupation, const BlockMatrix& p,
                   const BlockMatrix* q, const Eigen::MatrixXd& coefficients, SymmetryFock& fock);

}  // namespace prophet
