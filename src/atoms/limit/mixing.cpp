#include "atoms/limit/mixing.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace prophet::limit {
namespace {

constexpr double kRegularisation = 1e-13;  // of the scaled matrix: keeps nearly parallel residuals apart

}  // namespace

double innerProduct(const Residual& a, const Residual& b) {
  double sum = 0;
  for (size_t s = 0; s < a.residuals.size(); ++s) {
    const Eigen::MatrixXd left = a.residuals[s].transpose() * b.residuals[s];
    const Eigen::MatrixXd right = a.spinors[s].transpose() * b.spinors[s];
    sum += a.occupations[s].dot(left.cwiseProduct(right) * b.occupations[s]);
  }
  return sum;
}

// Minimises w^T B w with sum w = 1. Residuals differ by many powers of ten: B is scaled to a unit diagonal.
Eigen::VectorXd Mixer::weights() const {
  const int n = static_cast<int>(residuals_.size());
  Eigen::VectorXd scale(n);
  for (int i = 0; i < n; ++i) scale[i] = std::sqrt(products_.back().back() / products_[i].back());
  Eigen::MatrixXd matrix(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      matrix(i, j) = matrix(j, i) = products_[i][j] / std::sqrt(products_[i].back() * products_[j].back());
    }
    matrix(i, i) += kRegularisation;
  }
  const Eigen::VectorXd w = scale.cwiseProduct(Eigen::LDLT<Eigen::MatrixXd>(matrix).solve(scale));
  return w / w.sum();
}

std::vector<Eigen::MatrixXd> Mixer::mix(std::vector<Eigen::MatrixXd> fields, Residual residual) {
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
  std::vector<Eigen::MatrixXd> mixed = fields_.back();
  for (size_t s = 0; s < mixed.size(); ++s) {
    mixed[s] *= w[w.size() - 1];
    for (int i = 0; i + 1 < w.size(); ++i) mixed[s] += w[i] * fields_[i][s];
  }
  return mixed;
}

}  // namespace prophet::limit
