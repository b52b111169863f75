#pragma once
#include <Eigen/Core>

#include "core/linalg/dense.hpp"

namespace prophet::limit {

/// Solution of A X = B by LU factors with partial pivoting. Throws Error for a singular A.
Eigen::MatrixXd solveLinear(Eigen::MatrixXd matrix, Eigen::MatrixXd right);

/// Lower Cholesky factor, zero above the diagonal. Throws Error unless positive definite.
Eigen::MatrixXd choleskyFactor(Eigen::MatrixXd matrix);

/// Number of positive eigenvalues of a symmetric matrix, from its tridiagonal form.
int countPositiveEigenvalues(Eigen::MatrixXd matrix);

struct Eigenpairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// The `count` largest eigenvalues of a symmetric matrix, descending, with vectors. Throws Error where that
/// fails.
Eigenpairs largestEigenpairs(Eigen::MatrixXd matrix, int count);

/// Lowest positive-energy solutions of F x = epsilon S x.
struct Solutions {
  Eigen::VectorXd energies;  ///< ascending
  Eigen::MatrixXd vectors;   ///< columns with x^T S x = 1
  /// Columns A^-1 C with A = F - sigma S, S = C C^T: the filter for residuals (preconditionedResidual).
  Eigen::MatrixXd filter;
};

/// Solves by a spectral transformation about `shift`, a point in the gap between the negative-energy
/// continuum and the lowest bound state: the eigenvalues of C^T (F - shift S)^-1 C are 1/(epsilon - shift),
/// the wanted ones are the largest, and the huge positive and negative energies of splines close to the
/// nucleus, which would drown the bound states in rounding, become tiny.
///
/// \param factor lower Cholesky factor C of the overlap
/// Throws Error where LAPACK fails or fewer than `count` states lie above the shift.
Solutions lowestSolutions(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& overlap,
                          const Eigen::MatrixXd& factor, double shift, int count);

/// A point safely between the two continua of a hydrogen-like ion with a point nucleus and below all its
/// bound states; screening and the extent of the nucleus only raise those. Hartree. From charge = c on -1.5
/// c^2, which bound states of finite nuclei may undercut: see findGapShift. Without relativity
/// (`speedOfLight` infinite) there is but the continuum above.
double gapShift(double charge, double speedOfLight);

/// Number of solutions of F x = epsilon S x with epsilon > shift (Sylvester's law of inertia).
int countSolutionsAbove(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& overlap, double shift);

/// A point between -2 c^2 and the lowest of the `electronStates` solutions that belong to electrons, found by
/// counting solutions: for nuclei whose 1s comes close to the negative-energy continuum. Throws Error where
/// that spinor has sunk into it.
double findGapShift(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& overlap, int electronStates,
                    double speedOfLight);

}  // namespace prophet::limit
