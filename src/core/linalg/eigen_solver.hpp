#pragma once
#include <Eigen/Core>
#include <vector>

namespace prophet {

/// Some eigenpairs of dense symmetric matrices: a few by bisection and twisted factorisations
/// (linalg/small_eigen.inc), many, or where that fails, by LAPACK's dstemr with workspace kept between calls.
/// Not thread-safe: one object for each thread.
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

}  // namespace prophet
