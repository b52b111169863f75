#include "core/linalg/orthonormalise.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "core/linalg/eigen_solver.hpp"

namespace prophet {
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
