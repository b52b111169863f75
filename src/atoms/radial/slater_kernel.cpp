#include "atoms/radial/slater_kernel.hpp"

#include <cmath>

namespace prophet {

SlaterKernel::SlaterKernel(const RadialMesh& mesh, int largestK)
    : mesh_(mesh), fine_(gaussLegendre(2 * mesh.pointsPerCell())) {
  outer_ = lagrangePolynomials(mesh.rule.nodes, fine_.nodes);
  for (int m = 0; m < fine_.size(); ++m) {
    const double half = 0.5 * (1 + fine_.nodes[m]);
    const Eigen::VectorXd below = (-1 + half * (1 + fine_.nodes.array())).matrix();
    inner_.push_back(lagrangePolynomials(mesh.rule.nodes, below));
  }
  ordered_.resize(largestK + 1);
  for (int k = 0; k <= largestK; ++k) {
    for (int cell = 0; cell < mesh.cells; ++cell) {
      ordered_[k].push_back(cellBlock(k, mesh.cellWidth(cell)));
    }
  }
}

// Double integral of l_i(x) l_j(x') exp(-(k+1/2)(x-x')) over x' < x in a cell of this width.
Eigen::MatrixXd SlaterKernel::cellBlock(int k, double width) const {
  const int n = mesh_.pointsPerCell(), fine = fine_.size();
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
  const int n = mesh_.pointsPerCell();
  const int i0 = rows.first * n, ni = rows.count * n, j0 = columns.first * n, nj = columns.count * n;
  // Both factors refer to the left end of the rows' first cell, or, within one range, to each cell in turn.
  const auto decay = [&](int first, int count, double origin, double sign) -> Eigen::VectorXd {
    return mesh_.weight.segment(first, count).array() / mesh_.r.segment(first, count).array().sqrt() *
           (sign * (k + 0.5) * (mesh_.x.segment(first, count).array() - origin)).exp();
  };
  if (rows.first != columns.first) {
    const double origin = mesh_.breaks[rows.first];
    elements.noalias() = decay(i0, ni, origin, -1) * decay(j0, nj, origin, 1).transpose();
    return;
  }
  elements.setZero(ni, nj);
  for (int c = 0; c < rows.count; ++c) {
    const double origin = mesh_.breaks[rows.first + c];
    elements.block(c * n, 0, n, c * n) =
        decay(i0 + c * n, n, origin, -1) * decay(j0, c * n, origin, 1).transpose();
    const Eigen::VectorXd root = mesh_.r.segment(i0 + c * n, n).cwiseSqrt().cwiseInverse();
    elements.block(c * n, c * n, n, n) = root.asDiagonal() * ordered_[k][rows.first + c] * root.asDiagonal();
  }
}

Eigen::VectorXd SlaterKernel::potential(int k, const Eigen::VectorXd& density) const {
  return potentials(k, density);
}

Eigen::MatrixXd SlaterKernel::potentials(int k, const Eigen::MatrixXd& densities) const {
  const int n = mesh_.pointsPerCell();
  const double power = k + 0.5;
  const auto& breaks = mesh_.breaks;
  const Eigen::VectorXd root = mesh_.r.cwiseSqrt();
  const Eigen::MatrixXd scaled = root.cwiseInverse().asDiagonal() * densities;
  Eigen::MatrixXd sum(mesh_.points, densities.cols());
  // Integrals over the cells passed, referred to the end that was reached last.
  Eigen::RowVectorXd before = Eigen::RowVectorXd::Zero(densities.cols()), after = before;
  const auto decay = [&](int c, double from) -> Eigen::VectorXd {
    return (-power * (mesh_.x.segment(c * n, n).array() - from).abs()).exp();
  };
  for (int c = 0; c < mesh_.cells; ++c) {
    const auto weight = mesh_.weight.segment(c * n, n);
    const auto own = scaled.middleRows(c * n, n);
    const Eigen::MatrixXd block =
        weight.cwiseInverse().asDiagonal() * (ordered_[k][c] + ordered_[k][c].transpose());
    sum.middleRows(c * n, n).noalias() = block * own;
    sum.middleRows(c * n, n).noalias() += decay(c, breaks[c]) * before;
    before *= std::exp(-power * mesh_.cellWidth(c));
    before.noalias() += weight.cwiseProduct(decay(c, breaks[c + 1])).transpose() * own;
  }
  for (int c = mesh_.cells - 1; c >= 0; --c) {
    const auto weight = mesh_.weight.segment(c * n, n);
    sum.middleRows(c * n, n).noalias() += decay(c, breaks[c + 1]) * after;
    after *= std::exp(-power * mesh_.cellWidth(c));
    after.noalias() += weight.cwiseProduct(decay(c, breaks[c])).transpose() * scaled.middleRows(c * n, n);
  }
  return root.cwiseInverse().asDiagonal() * sum;
}

Eigen::VectorXd SlaterKernel::potentialFromInside(int k, const Eigen::VectorXd& density) const {
  const int n = mesh_.pointsPerCell();
  const double power = k + 0.5;
  const auto& breaks = mesh_.breaks;
  const Eigen::ArrayXd root = mesh_.r.array().sqrt(), scaled = density.array() / root;
  Eigen::ArrayXd sum(mesh_.points);
  double before = 0;
  for (int c = 0; c < mesh_.cells; ++c) {
    const auto x = mesh_.x.segment(c * n, n).array(), weight = mesh_.weight.segment(c * n, n).array();
    const Eigen::VectorXd own = scaled.segment(c * n, n).matrix();
    sum.segment(c * n, n) =
        (ordered_[k][c] * own).array() / weight + before * (-power * (x - breaks[c])).exp();
    before = before * std::exp(-power * mesh_.cellWidth(c)) +
             (weight * own.array() * (-power * (breaks[c + 1] - x)).exp()).sum();
  }
  return (sum / root).matrix();
}

Eigen::VectorXd SlaterKernel::potentialFromOutside(int k, const Eigen::VectorXd& density) const {
  const int n = mesh_.pointsPerCell();
  const double power = k + 0.5;
  const auto& breaks = mesh_.breaks;
  const Eigen::ArrayXd root = mesh_.r.array().sqrt(), scaled = density.array() / root;
  Eigen::ArrayXd sum(mesh_.points);
  double after = 0;
  for (int c = mesh_.cells - 1; c >= 0; --c) {
    const auto x = mesh_.x.segment(c * n, n).array(), weight = mesh_.weight.segment(c * n, n).array();
    const Eigen::VectorXd own = scaled.segment(c * n, n).matrix();
    sum.segment(c * n, n) =
        (ordered_[k][c].transpose() * own).array() / weight + after * (-power * (breaks[c + 1] - x)).exp();
    after = after * std::exp(-power * mesh_.cellWidth(c)) +
            (weight * own.array() * (-power * (x - breaks[c])).exp()).sum();
  }
  return (sum / root).matrix();
}

}  // namespace prophet
