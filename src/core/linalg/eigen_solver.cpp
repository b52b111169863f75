#include "core/linalg/eigen_solver.hpp"

#include <fmt/format.h>
#include <lapacke.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/common/error.hpp"
#include "core/common/failure.hpp"
#include "core/linalg/dense_kernels.hpp"

/// LAPACK's report of a wrong argument, which its documentation leaves to the installation. The one that it
/// brings prints and ends the program, and needs all of Fortran's input and output; here the routine returns
/// with its info, which solve() turns into an Error.
extern "C" void xerbla_(const char* /*routine*/, const int* /*argument*/, std::size_t /*length*/) {}

namespace prophet {
namespace {

/// Rows of workspace that dstemr needs.
constexpr int kWorkPerRow = 18;
constexpr int kIntegerWorkPerRow = 10;

/// So many pairs take less time one after the other than LAPACK's steps for many.
constexpr int kFew = 16;

/// Whether a symmetric matrix has elements above `large`: a plain eigensolver, which works to the rounding of
/// the largest, would spoil the eigenvalues near zero.
bool needsGradedSolution(const Eigen::MatrixXd& matrix, double large) {
  return matrix.size() > 0 && matrix.diagonal(-1).size() > 0 &&
         matrix.triangularView<Eigen::Lower>().toDenseMatrix().cwiseAbs().maxCoeff() > large;
}

/// Inverse of matrix - sigma (lower triangle read), from a factorisation of the matrix scaled to a unit
/// diagonal, so that rows of all sizes keep their digits. The eigenvalues next above sigma are its largest.
Eigen::MatrixXd shiftedInverse(const Eigen::MatrixXd& matrix, double sigma) {
  Eigen::MatrixXd shifted = matrix.selfadjointView<Eigen::Lower>();
  shifted.diagonal().array() -= sigma;
  const Eigen::VectorXd scale =
      shifted.cwiseAbs().colwise().maxCoeff().transpose().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * shifted * scale.asDiagonal();
  const Eigen::MatrixXd inverse = scale.asDiagonal() * scaled.partialPivLu().inverse() * scale.asDiagonal();
  return 0.5 * (inverse + inverse.transpose());
}

/// Whether rounding beside the largest elements would spoil the wanted solutions. Non-relativistic kinetic
/// energies grow as the exponents, Dirac's as their square root.
bool isGraded(const Eigen::MatrixXd& matrix, int first, int count) {
  constexpr double kDirac = 1e10, kLowest = 1e5;
  if (count == 0 || (first == 0 && count > kFew) || !matrix.allFinite()) return false;
  return needsGradedSolution(matrix, first > 0 ? kDirac : kLowest);
}

[[noreturn]] void fail(const char* routine, int size, int info) {
  throw FailureError(
      fmt::format("an eigenproblem of size {} failed ({}, info {}); the Fock matrix probably holds "
                  "not-a-number: check the exponents for extreme values",
                  size, routine, info));
}

}  // namespace

/// All eigenpairs of the saved tridiagonal matrix by implicit QL, which never fails on finite numbers: dstemr
/// gives up (info 22) on one in some thousand Fock matrices, whose spectra span 12 orders of magnitude (seen:
/// In with an even-tempered set).
void EigenSolver::solveTridiagonal(int n, int first, int count, Eigen::MatrixXd& vectors) {
  const Eigen::Map<const Eigen::VectorXd> d(savedDiagonal_.data(), n), e(savedOffDiagonal_.data(), n - 1);
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> all;
  all.computeFromTridiagonal(d, e);
  if (all.info() != Eigen::Success) fail("dstemr and implicit QL", n, 0);
  vectors = all.eigenvectors().middleCols(first, count);
  for (int i = 0; i < count; ++i) allValues_[i] = all.eigenvalues()(first + i);
}

/// Tridiagonal form, the wanted eigenpairs of it by relatively robust representations (LAPACK's dstemr; its
/// dsyevr would fall back to bisection and inverse iteration when not all are wanted), and back. dstemr calls
/// nothing of the BLAS but copies and scalings of vectors, so it does not matter whose BLAS that is.
void EigenSolver::solvePlain(Eigen::MatrixXd& matrix, int first, int count, Eigen::VectorXd& values,
                             Eigen::MatrixXd& vectors) {
  const int n = static_cast<int>(matrix.rows());
  if (static_cast<int>(diagonal_.size()) < n) {
    work_.resize(static_cast<std::size_t>(kWorkPerRow) * n);
    integerWork_.resize(static_cast<std::size_t>(kIntegerWorkPerRow) * n);
    support_.resize(2 * static_cast<std::size_t>(n));
    for (auto* v : {&diagonal_, &offDiagonal_, &reflectors_, &allValues_}) v->resize(n);
  }
  values.resize(count);
  vectors.resize(n, count);
  if (count == 0) return;
  if (!matrix.allFinite()) fail("tridiagonal form", n, 0);
  if (count <= kFew &&
      denseKernels().eigenpairs(n, matrix.data(), first, count, values.data(), vectors.data()))
    return;
  denseKernels().tridiagonalise(n, matrix.data(), diagonal_.data(), offDiagonal_.data(), reflectors_.data());
  savedDiagonal_ = diagonal_;
  savedOffDiagonal_ = offDiagonal_;
  int found = 0, highAccuracy = 1;
  const int info =
      LAPACKE_dstemr_work(LAPACK_COL_MAJOR, 'V', 'I', n, diagonal_.data(), offDiagonal_.data(), 0.0, 0.0,
                          first + 1, first + count, &found, allValues_.data(), vectors.data(), n, count,
                          support_.data(), &highAccuracy, work_.data(), static_cast<int>(work_.size()),
                          integerWork_.data(), static_cast<int>(integerWork_.size()));
  // dstemr orders the two eigenvalues of a 2 x 2 matrix by magnitude (LAPACK 3.11; dlaev2's convention).
  if (n == 2 || info != 0 || found != count) solveTridiagonal(n, first, count, vectors);
  denseKernels().applyReflectors(n, matrix.data(), reflectors_.data(), count, vectors.data());
  for (int i = 0; i < count; ++i) values(i) = allValues_[i];
}

void EigenSolver::solve(Eigen::MatrixXd& matrix, int first, int count, Eigen::VectorXd& values,
                        Eigen::MatrixXd& vectors) {
  if (isGraded(matrix, first, count))
    solveGraded(matrix, first, count, values, vectors);
  else
    solvePlain(matrix, first, count, values, vectors);
}

Eigen::VectorXd EigenSolver::values(Eigen::MatrixXd matrix, int first, int count) {
  Eigen::VectorXd values(count);
  const int n = static_cast<int>(matrix.rows());
  if (!isGraded(matrix, first, count) && matrix.allFinite() &&
      denseKernels().eigenpairs(n, matrix.data(), first, count, values.data(), nullptr))
    return values;
  Eigen::MatrixXd vectors;
  solve(matrix, first, count, values, vectors);
  return values;
}

/// The wanted solutions as the largest ones of 1/(matrix - sigma), sigma in the gap below them, or below all.
void EigenSolver::solveGraded(Eigen::MatrixXd& matrix, int first, int count, Eigen::VectorXd& values,
                              Eigen::MatrixXd& vectors) {
  const Eigen::MatrixXd copy = matrix;
  double sigma;
  if (first > 0) {
    solvePlain(matrix, first - 1, count + 1, values, vectors);
    sigma = 0.5 * (values(0) + values(1));
  } else {
    solvePlain(matrix, 0, 1, values, vectors);
    sigma = values(0) - 0.5 * std::abs(values(0)) - 1.0;
  }
  Eigen::MatrixXd inverse = shiftedInverse(copy, sigma);
  if (!inverse.allFinite()) fail("shifted inverse", static_cast<int>(copy.rows()), 0);
  solvePlain(inverse, static_cast<int>(copy.rows()) - count, count, values, vectors);
  values = (values.reverse().cwiseInverse().array() + sigma).eval();
  vectors = vectors.rowwise().reverse().eval();
}

namespace {

OrthonormalBasis canonical(const Eigen::MatrixXd& overlap, double threshold) {
  const int n = static_cast<int>(overlap.rows());
  Eigen::MatrixXd copy = overlap, vectors;
  Eigen::VectorXd values;
  EigenSolver().solve(copy, 0, n, values, vectors);
  int dropped = 0;
  while (dropped < n && values(dropped) < threshold) ++dropped;
  const int kept = n - dropped;
  const Eigen::MatrixXd v = vectors.rightCols(kept);
  const Eigen::VectorXd root = values.tail(kept).cwiseSqrt();
  return {v * root.cwiseInverse().asDiagonal(), root.asDiagonal() * v.transpose(), dropped};
}

}  // namespace

OrthonormalBasis orthonormalise(const Eigen::MatrixXd& overlap, double threshold) {
  const Eigen::LLT<Eigen::MatrixXd> cholesky(overlap);
  if (cholesky.info() == Eigen::Success) {
    const Eigen::MatrixXd u = cholesky.matrixU();
    Eigen::MatrixXd x = Eigen::MatrixXd::Identity(u.rows(), u.cols());
    cholesky.matrixU().solveInPlace(x);
    // tr(S^-1) = |x|^2 is at least 1/(smallest eigenvalue): a bound that costs nothing.
    if (x.squaredNorm() < 1.0 / threshold) return {std::move(x), u, 0};
  }
  return canonical(overlap, threshold);
}

}  // namespace prophet
