#include "limit/mixing.hpp"

#include <Eigen/LU>

namespace prophet::limit {

double innerProduct(const Residual& a, const Residual& b) {
  double sum = 0;
  for (size_t s = 0; s < a.residuals.size(); ++s) {
    const Eigen::MatrixXd left = a.residuals[s].transpose() * b.residuals[s];
    const Eigen::MatrixXd right = a.spinors[s].transpose() * b.spinors[s];
    sum += a.occupations[s].dot(left.cwiseProduct(right) * b.occupations[s]);
  }
  return sum;
}

Eigen::VectorXd Mixer::weights() const {
  const int n = static_cast<int>(residuals_.size());
  const double scale = products_.back().back();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n + 1, n + 1);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) matrix(i, j) = matrix(j, i) = products_[i][j] / scale;
    matrix(i, n) = matrix(n, i) = 1;
  }
  return matrix.fullPivLu().solve(Eigen::VectorXd::Unit(n + 1, n)).head(n);
}

Fields Mixer::mix(Fields fields, Residual residual) {
  fields_.push_back(std::move(fields));
  residuals_.push_back(std::move(residual));
  products_.emplace_back();
  for (const auto& earlier : residuals_) products_.back().push_back(innerProduct(earlier, residuals_.back()));
  if (static_cast<int>(fields_.size()) > depth_) {
    fields_.pop_front();
    residuals_.pop_front();
    products_.pop_front();
    for (auto& row : products_) row.pop_front();
  }
  if (!(products_.back().back() > 0)) return fields_.back();
  const Eigen::VectorXd w = weights();
  if (!w.allFinite()) return fields_.back();
  Fields mixed = fields_.back();
  for (size_t s = 0; s < mixed.closed.size(); ++s) {
    mixed.closed[s].setZero();
    mixed.defect[s].setZero();
    for (size_t i = 0; i < fields_.size(); ++i) {
      mixed.closed[s] += w[i] * fields_[i].closed[s];
      if (mixed.defect[s].size() > 0) mixed.defect[s] += w[i] * fields_[i].defect[s];
    }
  }
  return mixed;
}

}  // namespace prophet::limit
