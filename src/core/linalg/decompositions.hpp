#pragma once
#include <Eigen/Core>
#include <vector>

namespace prophet {

// Eigen's decompositions of matrices of any size, compiled once here: each costs seconds in every source that
// names it. They are compiled for the oldest processor, so that their results have the same digits on all of
// one kind.

/// All eigenvalues (ascending) and orthonormal vectors of a symmetric matrix, whose lower triangle is read.
class SymmetricEigen {
 public:
  explicit SymmetricEigen(const Eigen::MatrixXd& matrix);
  const Eigen::VectorXd& eigenvalues() const { return values_; }
  const Eigen::MatrixXd& eigenvectors() const { return vectors_; }

 private:
  Eigen::VectorXd values_;
  Eigen::MatrixXd vectors_;
};

/// The eigenvalues alone, ascending.
Eigen::VectorXd symmetricEigenvalues(const Eigen::MatrixXd& matrix);
/// Those of a tridiagonal matrix; empty where they were not found.
Eigen::VectorXd tridiagonalEigenvalues(const Eigen::VectorXd& diagonal, const Eigen::VectorXd& subdiagonal);

/// x of least |A x - b|, by QR factors with column pivoting.
Eigen::VectorXd leastSquares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

/// Columns in the order in which pivoting takes them, of which the first `rank` are independent.
struct ColumnOrder {
  std::vector<Eigen::Index> columns;
  Eigen::Index rank = 0;
};
/// `threshold`: the share of the largest pivot below which a pivot counts as zero; 0: rounding's.
ColumnOrder columnOrder(const Eigen::MatrixXd& matrix, double threshold = 0);

/// Orthonormal columns that span those of a matrix, as many as are independent by this threshold.
Eigen::MatrixXd columnSpan(const Eigen::MatrixXd& matrix, double threshold);
/// Orthonormal columns that complete the independent columns of a matrix (n x m) to a basis: n x (n - m).
Eigen::MatrixXd orthogonalComplement(const Eigen::MatrixXd& columns);
/// Orthonormal combinations of columns by their overlap's Cholesky factor; empty where that has a diagonal
/// element below `least` or is none.
Eigen::MatrixXd choleskyOrthonormal(Eigen::MatrixXd columns, double least);

Eigen::MatrixXd inverseOf(const Eigen::MatrixXd& matrix);
Eigen::MatrixXd pseudoInverse(const Eigen::MatrixXd& matrix);
/// Solution of A x = b with a symmetric matrix, which need not be positive.
Eigen::VectorXd solveSymmetric(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);
/// Solution of A x = b by LU factors with pivoting of rows and columns: what solves nearly singular systems
/// best.
Eigen::VectorXd solveFullyPivoted(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

}  // namespace prophet
