#include "scf/symmetry_space.hpp"

#include <algorithm>

#include "linalg/dense.hpp"

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
  product(block.LL, xl, work.leftCols(n));
  productTN(xl, work.leftCols(n), result.topLeftCorner(n, n));
  product(block.SS, xs, work.leftCols(m));
  productTN(xs, work.leftCols(m), result.bottomRightCorner(m, m));
  if (block.LS.size() == 0) {
    result.topRightCorner(n, m).setZero();
  } else {
    product(block.LS, xs, work.leftCols(m));
    productTN(xl, work.leftCols(m), result.topRightCorner(n, m));
  }
  result.bottomLeftCorner(m, n) = result.topRightCorner(n, m).transpose();
}

}  // namespace prophet
