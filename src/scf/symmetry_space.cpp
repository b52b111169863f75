#include "scf/symmetry_space.hpp"

namespace prophet {

SymmetrySpace makeSymmetrySpace(const OneElectronMatrices& matrices, double c, double threshold) {
  SymmetrySpace s;
  s.large = orthonormalise(matrices.overlapLarge, threshold);
  s.small = orthonormalise(matrices.overlapSmall, threshold);
  s.kinetic = c * (s.small.dual * matrices.balance.asDiagonal() * s.large.x);

  const int n = s.largeSize(), m = s.smallSize();
  s.nuclear = Eigen::MatrixXd::Zero(n + m, n + m);
  s.nuclear.topLeftCorner(n, n) = s.large.x.transpose() * matrices.nuclearLarge * s.large.x;
  s.nuclear.bottomRightCorner(m, m) = s.small.x.transpose() * matrices.nuclearSmall * s.small.x;

  s.core = s.nuclear;
  s.core.bottomLeftCorner(m, n) += s.kinetic;
  s.core.topRightCorner(n, m) += s.kinetic.transpose();
  s.core.diagonal().tail(m).array() -= 2.0 * c * c;
  return s;
}

void transformToSpace(const SymmetrySpace& space, const BlockMatrix& block, Eigen::MatrixXd& work,
                      Eigen::MatrixXd& result) {
  const int n = space.largeSize(), m = space.smallSize();
  if (n + m == 0) {
    result.resize(0, 0);
    return;
  }
  const Eigen::MatrixXd &xl = space.large.x, &xs = space.small.x;
  result.resize(n + m, n + m);
  work.resize(xl.rows(), std::max(n, m));
  work.leftCols(n).noalias() = block.LL * xl;
  result.topLeftCorner(n, n).noalias() = xl.transpose() * work.leftCols(n);
  work.leftCols(m).noalias() = block.SS * xs;
  result.bottomRightCorner(m, m).noalias() = xs.transpose() * work.leftCols(m);
  if (block.LS.size() == 0) {
    result.topRightCorner(n, m).setZero();
  } else {
    work.leftCols(m).noalias() = block.LS * xs;
    result.topRightCorner(n, m).noalias() = xl.transpose() * work.leftCols(m);
  }
  result.bottomLeftCorner(m, n) = result.topRightCorner(n, m).transpose();
}

}  // namespace prophet
