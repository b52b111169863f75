#include "core/linalg/decompositions.hpp"

#include "core/linalg/column_basis.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

namespace prophet {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

}  // namespace

SymmetricEigen::SymmetricEigen(const Matrix& matrix) {
  if (matrix.size() == 0) return;  // Eigen's solver reads an element that is not there
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix);
  values_ = solver.eigenvalues();
  vectors_ = solver.eigenvectors();
}

Vector symmetricEigenvalues(const Matrix& matrix) {
  if (matrix.size() == 0) return {};
  return Eigen::SelfAdjointEigenSolver<Matrix>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

Vector tridiagonalEigenvalues(const Vector& diagonal, const Vector& subdiagonal) {
  Eigen::SelfAdjointEigenSolver<Matrix> solver;
  solver.computeFromTridiagonal(diagonal, subdiagonal, Eigen::EigenvaluesOnly);
  return solver.info() == Eigen::Success ? solver.eigenvalues() : Vector();
}

Vector leastSquares(const Matrix& a, const Vector& b) { return a.colPivHouseholderQr().solve(b); }

ColumnOrder columnOrder(const Matrix& matrix, double threshold) {
  Eigen::ColPivHouseholderQR<Matrix> qr(matrix);
  if (threshold > 0) qr.setThreshold(threshold);
  const auto& order = qr.colsPermutation().indices();
  return {{order.begin(), order.end()}, qr.rank()};
}

ColumnBasis columnBasis(const Matrix& matrix, double threshold) {
  Eigen::ColPivHouseholderQR<Matrix> qr(matrix);
  qr.setThreshold(threshold);
  const Eigen::Index rank = qr.rank();
  const auto& order = qr.colsPermutation().indices();
  Matrix ordered(rank, matrix.cols());
  ordered << Matrix::Identity(rank, rank),
      qr.matrixR()
          .topLeftCorner(rank, rank)
          .triangularView<Eigen::Upper>()
          .solve(qr.matrixR().topRightCorner(rank, matrix.cols() - rank).eval());
  return {{order.begin(), order.begin() + rank}, ordered * qr.colsPermutation().transpose()};
}

Matrix columnSpan(const Matrix& matrix, double threshold) {
  Eigen::ColPivHouseholderQR<Matrix> qr(matrix);
  qr.setThreshold(threshold);
  return qr.householderQ() * Matrix::Identity(matrix.rows(), qr.rank());
}

Matrix orthogonalComplement(const Matrix& columns) {
  const Eigen::Index n = columns.rows();
  return Eigen::HouseholderQR<Matrix>(columns).householderQ() *
         Matrix::Identity(n, n).rightCols(n - columns.cols()).eval();
}

Matrix choleskyOrthonormal(Matrix columns, double least) {
  const Eigen::LLT<Matrix> cholesky(columns.transpose() * columns);
  if (cholesky.info() != Eigen::Success) return {};
  if (columns.cols() > 0 && !(cholesky.matrixLLT().diagonal().minCoeff() > least)) return {};
  cholesky.matrixU().solveInPlace<Eigen::OnTheRight>(columns);
  return columns;
}

Matrix inverseOf(const Matrix& matrix) { return matrix.inverse(); }

Matrix pseudoInverse(const Matrix& matrix) {
  return matrix.completeOrthogonalDecomposition().pseudoInverse();
}

Vector solveSymmetric(const Matrix& a, const Vector& b) { return a.ldlt().solve(b); }

Vector solveFullyPivoted(const Matrix& a, const Vector& b) { return a.fullPivLu().solve(b); }

}  // namespace prophet
