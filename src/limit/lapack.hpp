#pragma once
#include <Eigen/Core>
#include <vector>

namespace prophet::limit {

/// a b, either factor transposed on request (BLAS dgemm by way of Eigen).
Eigen::MatrixXd multiply(const Eigen::MatrixXd& a, bool transposeA, const Eigen::MatrixXd& b,
                         bool transposeB);

/// LU factors of a square matrix (LAPACK dgetrf). Throws Error for a singular matrix.
class LuFactors {
 public:
  explicit LuFactors(Eigen::MatrixXd matrix);
  /// Solution of A X = B.
  Eigen::MatrixXd solve(Eigen::MatrixXd right) const;

 private:
  Eigen::MatrixXd factors_;
  std::vector<int> pivots_;
};

/// Lower Cholesky factor, zero above the diagonal (LAPACK dpotrf). Throws Error unless positive definite.
Eigen::MatrixXd choleskyFactor(Eigen::MatrixXd matrix);

/// Number of positive eigenvalues of a symmetric matrix, without computing them (inertia of its Bunch-Kaufman
/// factors, LAPACK dsytrf).
int countPositiveEigenvalues(Eigen::MatrixXd matrix);

struct Eigenpairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// The `count` largest eigenvalues of a symmetric matrix, descending, with vectors (LAPACK dsyevr). Throws
/// Error where LAPACK fails.
Eigenpairs largestEigenpairs(Eigen::MatrixXd matrix, int count);

}  // namespace prophet::limit
