#include "atoms/scf/symmetry_space.hpp"

#include <algorithm>

#include "core/linalg/dense.hpp"

namespace prophet {

SymmetrySpace makeSymmetrySpace(const OneElectronMatrices& matrices, double c, double threshold) {
  SymmetrySpace s;
  s.large = orthonormalise(matrices.overlapLarge, threshold);
  s.small = orthonormalise(matrices.overlapSmall, threshold);
  const int n = s.largeSize(), m = s.smallSize();
  const Eigen::MatrixXd scaled = c * matrices.balance.asDiagonal() * s.large.x;
  s.kinetic.resize(m, n);
  product(s.small.dual, scaled, s.kinetic);

  s.nuclear = Eigen::MatrixXd::Zero(n + m, n + m);
  Eigen::MatrixXd work(s.large.x.rows(), std::max(n, m));
  product(matrices.nuclearLarge, s.large.x, work.leftCols(n));
  productTN(s.large.x, work.leftCols(n), s.nuclear.topLeftCorner(n, n));
  product(matrices.nuclearSmall, s.small.x, work.leftCols(m));
  productTN(s.small.x, work.leftCols(m), s.nuclear.bottomRightCorner(m, m));

  s.core = s.nuclear;
  s.core.bottomLeftCorner(m, n) += s.kinetic;
  s.core.topRightCorner(n, m) += s.kinetic.transpose();
  s.core.diagonal().tail(m).array() -= 2.0 * c * c;
  return s;
}

double momentumOf(const SymmetrySpace& space, const Eigen::MatrixXd& density) {
  const int n = space.largeSize(), m = space.smallSize();
  if (m == 0) return density.cwiseProduct(space.momentum).sum();
  return 2.0 * density.bottomLeftCorner(m, n).cwiseProduct(space.kinetic).sum();
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
  if (m == 0) return;
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
