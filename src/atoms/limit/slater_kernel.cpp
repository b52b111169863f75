#include "atoms/limit/slater_kernel.hpp"

#include <cmath>

namespace prophet::limit {

SlaterKernel::SlaterKernel(const RadialBasis& basis, int largestK)
    : basis_(basis), fine_(gaussLegendre(2 * basis.pointsPerCell())) {
  outer_ = lagrangePolynomials(basis.rule.nodes, fine_.nodes);
  for (int m = 0; m < fine_.size(); ++m) {
    const double half = 0.5 * (1 + fine_.nodes[m]);
    const Eigen::VectorXd below = (-1 + half * (1 + fine_.nodes.array())).matrix();
    inner_.push_back(lagrangePolynomials(basis.rule.nodes, below));
  }
  ordered_.resize(largestK + 1);
  for (int k = 0; k <= largestK; ++k) {
    for (int cell = 0; cell < basis.cells; ++cell) {
      ordered_[k].push_back(cellBlock(k, basis.cellWidth(cell)));
    }
  }
}

// Double integral of l_i(x) l_j(x') exp(-(k+1/2)(x-x')) over x' < x in a cell of this width.
Eigen::MatrixXd SlaterKernel::cellBlock(int k, double width) const {
  const int n = basis_.pointsPerCell(), fine = fine_.size();
  Eigen::MatrixXd inner(fine, n);
  for (int m = 0; m < fine; ++m) {
    const double half = 0.5 * (1 + fine_.nodes[m]);  // of the interval below point m, on [-1, 1]
    const Eigen::ArrayXd distance = 0.5 * width * half * (1 - fine_.nodes.array());
    const Eigen::VectorXd factor = 0.5 * width * half * fine_.weights.array() * (-(k + 0.5) * distance).exp();
    inner.row(m) = factor.transpose() * inner_[m];
  }
  return outer_.transpose() * (0.5 * width * fine_.weights).asDiagonal() * inner;
}

void SlaterKernel::ordered(int k, CellRange rows, CellRange columns, Eigen::MatrixXd& elements) const {
  const int n = basis_.pointsPerCell();
  const int i0 = rows.first * n, ni = rows.count * n, j0 = columns.first * n, nj = columns.count * n;
  // Both factors refer to the left end of the rows' first cell, or, within one range, to each cell in turn.
  const auto decay = [&](int first, int count, double origin, double sign) -> Eigen::VectorXd {
    return basis_.weight.segment(first, count).array() / basis_.r.segment(first, count).array().sqrt() *
           (sign * (k + 0.5) * (basis_.x.segment(first, count).array() - origin)).exp();
  };
  if (rows.first != columns.first) {
    const double origin = basis_.largeSpace.breaks()[rows.first];
    elements.noalias() = decay(i0, ni, origin, -1) * decay(j0, nj, origin, 1).transpose();
    return;
  }
  elements.setZero(ni, nj);
  for (int c = 0; c < rows.count; ++c) {
    const double origin = basis_.largeSpace.breaks()[rows.first + c];
    elements.block(c * n, 0, n, c * n) =
        decay(i0 + c * n, n, origin, -1) * decay(j0, c * n, origin, 1).transpose();
    const Eigen::VectorXd root = basis_.r.segment(i0 + c * n, n).cwiseSqrt().cwiseInverse();
    elements.block(c * n, c * n, n, n) = root.asDiagonal() * ordered_[k][rows.first + c] * root.asDiagonal();
  }
}

Eigen::VectorXd SlaterKernel::potential(int k, const Eigen::VectorXd& density) const {
  const int n = basis_.pointsPerCell();
  const double power = k + 0.5;
  const auto& breaks = basis_.largeSpace.breaks();
  const Eigen::ArrayXd root = basis_.r.array().sqrt(), weight = basis_.weight.array();
  const Eigen::ArrayXd scaled = density.array() / root;
  Eigen::ArrayXd sum(basis_.points);
  double before = 0, after = 0;  // integrals over the cells passed, referred to the end that was reached last
  for (int c = 0; c < basis_.cells; ++c) {
    const auto x = basis_.x.segment(c * n, n).array();
    const Eigen::VectorXd own = scaled.segment(c * n, n).matrix();
    const Eigen::MatrixXd block = ordered_[k][c] + ordered_[k][c].transpose();
    sum.segment(c * n, n) =
        (block * own).array() / weight.segment(c * n, n) + before * (-power * (x - breaks[c])).exp();
    before = before * std::exp(-power * basis_.cellWidth(c)) +
             (weight.segment(c * n, n) * own.array() * (-power * (breaks[c + 1] - x)).exp()).sum();
  }
  for (int c = basis_.cells - 1; c >= 0; --c) {
    const auto x = basis_.x.segment(c * n, n).array();
    sum.segment(c * n, n) += after * (-power * (breaks[c + 1] - x)).exp();
    after = after * std::exp(-power * basis_.cellWidth(c)) +
            (weight.segment(c * n, n) * scaled.segment(c * n, n) * (-power * (x - breaks[c])).exp()).sum();
  }
  return (sum / root).matrix();
}

}  // namespace prophet::limit
