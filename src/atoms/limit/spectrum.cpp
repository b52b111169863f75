#include "atoms/limit/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <string>

#include "core/common/error.hpp"
#include "core/linalg/dense_kernels.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet::limit {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw Error("the numerical limit: " + what + "; try another resolution (LimitOptions::density)");
}

}  // namespace

Eigen::MatrixXd solveLinear(Eigen::MatrixXd matrix, Eigen::MatrixXd right) {
  const LuFactors factors(std::move(matrix));
  if (factors.singular()) fail("a matrix is singular");
  return factors.solve(std::move(right));
}

Eigen::MatrixXd choleskyFactor(Eigen::MatrixXd matrix) {
  if (!choleskyInPlace(matrix)) fail("a matrix is not positive definite");
  return matrix;
}

int countPositiveEigenvalues(Eigen::MatrixXd matrix) {
  const Eigen::Index n = matrix.rows();
  Eigen::VectorXd diagonal(n), below(n - 1), factors(n - 1);
  denseKernels().tridiagonalise(static_cast<int>(n), matrix.data(), diagonal.data(), below.data(),
                                factors.data());
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, below, Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success) fail("no eigenvalues were found");
  return static_cast<int>((solver.eigenvalues().array() > 0).count());
}

Eigenpairs largestEigenpairs(Eigen::MatrixXd matrix, int count) {
  Eigenpairs pairs;
  EigenSolver().solve(matrix, static_cast<int>(matrix.rows()) - count, count, pairs.values, pairs.vectors);
  return {pairs.values.reverse(), pairs.vectors.rowwise().reverse()};
}

namespace {

constexpr int kGapHalvings =
    14;  // nearest to the continuum that a bound state may come: c^2 / 2^14, 1 hartree

// Rows and columns to unit size: elements grow like 1/r towards the nucleus.
Eigen::VectorXd unitScale(const Eigen::MatrixXd& matrix) {
  return matrix.rowwise().lpNorm<Eigen::Infinity>().cwiseSqrt().cwiseInverse();
}

}  // namespace

Solutions lowestSolutions(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& overlap,
                          const Eigen::MatrixXd& factor, double shift, int count) {
  Eigen::MatrixXd shifted = fock - shift * overlap;
  const Eigen::VectorXd scale = unitScale(shifted);
  shifted = scale.asDiagonal() * shifted * scale.asDiagonal();
  Solutions s;
  s.filter = scale.asDiagonal() * solveLinear(std::move(shifted), scale.asDiagonal() * factor);
  Eigen::MatrixXd inverse = multiply(factor, true, s.filter, false);
  inverse = (0.5 * (inverse + inverse.transpose())).eval();
  const Eigenpairs pairs = largestEigenpairs(std::move(inverse), count);
  if (pairs.values[count - 1] <= 0) {
    throw Error("the numerical limit: too few bound states above the negative-energy continuum");
  }
  // One step of inverse iteration in passing (x = A^-1 C y): it takes rounding noise out of the eigenvectors.
  s.vectors = multiply(s.filter, false, pairs.vectors, false);
  s.energies.resize(count);
  for (int i = 0; i < count; ++i) {
    auto vector = s.vectors.col(i);
    vector /= std::sqrt(vector.dot(overlap * vector));
    s.energies[i] = vector.dot(fock * vector);
  }
  return s;
}

double gapShift(double charge, double c) {
  if (std::isinf(c)) return -0.75 * charge * charge - 0.5;
  const double coupling = std::min(charge / c, 1.0);
  const double lowest = c * c * (std::sqrt(1 - coupling * coupling) - 1);
  return std::max(1.5 * lowest - 0.5, -1.5 * c * c);
}

int countSolutionsAbove(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& overlap, double shift) {
  Eigen::MatrixXd shifted = fock - shift * overlap;
  const Eigen::VectorXd scale = unitScale(shifted);
  return countPositiveEigenvalues(scale.asDiagonal() * shifted * scale.asDiagonal());
}

double findGapShift(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& overlap, int electronStates,
                    double c) {
  double width = 0.5 * c * c;  // of the part of the gap that is known to be empty, if all states are above it
  for (int i = 0; i < kGapHalvings; ++i, width *= 0.5) {
    // Half of it is kept as a margin for the iterations to come.
    if (countSolutionsAbove(fock, overlap, width - 2 * c * c) == electronStates)
      return 0.5 * width - 2 * c * c;
  }
  throw Error(
      "the numerical limit: the lowest spinor has sunk into the negative-energy continuum (its energy is "
      "below "
      "-2 c^2), so there is no such bound state; choose a smaller charge, a larger nucleus or more "
      "electrons");
}

}  // namespace prophet::limit
