#include "atoms/frozen/stencils.hpp"

#include <algorithm>

#include "core/linalg/dense.hpp"

namespace prophet {

Stencils::Stencils(const ExponentNodes& nodes, const std::vector<double>& exponents, bool derivatives)
    : weights_(kPoints, static_cast<Eigen::Index>(exponents.size())), first_(nodes.count) {
  if (derivatives) slopes_.resizeLike(weights_);
  for (std::size_t p = 0; p < exponents.size(); ++p) {
    const auto column = static_cast<Eigen::Index>(p);
    double* slopes = derivatives ? slopes_.col(column).data() : nullptr;
    start_.push_back(nodes.stencil(exponents[p], weights_.col(column).data(), slopes));
    first_ = std::min(first_, start_.back());
    last_ = std::max(last_, start_.back() + kPoints - 1);
  }
}

void Stencils::columns(const Eigen::MatrixXd& table, bool transposed, Eigen::MatrixXd& out) const {
  out.resize(rows(), functions());
  for (Eigen::Index q = 0; q < functions(); ++q) {
    if (transposed) {
      productTN(table.block(start_[q], first_, kPoints, rows()), weights_.col(q), out.col(q));
    } else {
      product(table.block(first_, start_[q], rows(), kPoints), weights_.col(q), out.col(q));
    }
  }
}

Eigen::MatrixXd Stencils::weigh(const Eigen::MatrixXd& weights, const Eigen::MatrixXd& nodal) const {
  Eigen::MatrixXd values(functions(), nodal.cols());
  for (Eigen::Index q = 0; q < nodal.cols(); ++q) {
    for (Eigen::Index p = 0; p < functions(); ++p)
      values(p, q) = weights.col(p).dot(nodal.col(q).segment(start_[p] - first_, kPoints));
  }
  return values;
}

Eigen::MatrixXd Stencils::spread(const Eigen::MatrixXd& coefficients) const {
  Eigen::MatrixXd wide = Eigen::MatrixXd::Zero(rows(), coefficients.cols());
  for (Eigen::Index p = 0; p < functions(); ++p)
    wide.middleRows(start_[p] - first_, kPoints) += weights_.col(p) * coefficients.row(p);
  return wide;
}

}  // namespace prophet
