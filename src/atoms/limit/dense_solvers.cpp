#include "atoms/limit/dense_solvers.hpp"

#include <Eigen/Eigenvalues>
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

}  // namespace prophet::limit
