#pragma once
#include <Eigen/Core>
#include <vector>

namespace prophet {

/// Some eigenpairs of dense symmetric matrices: a few by bisection and twisted factorisations
/// (linalg/dense_kernels.cpp), many, or where that fails, by LAPACK's dstemr with workspace kept between
/// calls. Not thread-safe: one object for each thread.
class EigenSolver {
 public:
  /// Eigenvalues number `first` .. `first + count - 1` (from 0, ascending) and their orthonormal vectors.
  /// `matrix` (n x n; its lower triangle is read) is destroyed; `values` gets count entries, `vectors` n x
  /// count. Throws Error if LAPACK fails (not-a-number in the matrix, say).
  void solve(Eigen::MatrixXd& matrix, int first, int count, Eigen::VectorXd& values,
             Eigen::MatrixXd& vectors);
  /// The eigenvalues alone.
  Eigen::VectorXd values(Eigen::MatrixXd matrix, int first, int count);

 private:
  void solvePlain(Eigen::MatrixXd& matrix, int first, int count, Eigen::VectorXd& values,
                  Eigen::MatrixXd& vectors);
  void solveGraded(Eigen::MatrixXd& matrix, int first, int count, Eigen::VectorXd& values,
                   Eigen::MatrixXd& vectors);
  void solveTridiagonal(int n, int first, int count, Eigen::MatrixXd& vectors);

  std::vector<double> work_, diagonal_, offDiagonal_, reflectors_, allValues_;
  std::vector<double> savedDiagonal_, savedOffDiagonal_;  ///< dstemr destroys the tridiagonal matrix
  std::vector<int> integerWork_, support_;
};

/// An orthonormal basis of the span of n functions with overlap S, in two dual forms.
struct OrthonormalBasis {
  Eigen::MatrixXd x;     ///< n x m: orthonormal functions over the given ones, x^T S x = 1
  Eigen::MatrixXd dual;  ///< m x n: x^T S, computed without multiplying by S where possible (keeps digits)
  int dropped = 0;       ///< n - m near-dependent directions removed
};

/// Cholesky orthonormalisation of a positive overlap matrix with unit diagonal. Where its smallest eigenvalue
/// may be below `threshold`, canonical orthonormalisation instead, without the directions below it (Lowdin
/// 1956). Throws Error if S contains not-a-number.
OrthonormalBasis orthonormalise(const Eigen::MatrixXd& overlap, double threshold);

}  // namespace prophet
