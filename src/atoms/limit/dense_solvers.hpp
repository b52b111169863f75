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

}  // namespace prophet::limit
