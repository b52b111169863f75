#include "matter/shape/agreement.hpp"

#include <cmath>

#include "core/common/error.hpp"
#include "core/linalg/decompositions.hpp"

namespace prophet {

Agreement agreementOf(const Eigen::VectorXd& measured, const Eigen::VectorXd& sigma,
                      const Eigen::VectorXd& computed, bool background) {
  const Eigen::Index points = measured.size(), unknowns = background ? 2 : 1;
  if (points < 3) throw Error("a comparison needs at least 3 points");
  const double largest = computed.cwiseAbs().maxCoeff();
  if (!(largest > 0) || !std::isfinite(largest)) throw Error("the computed intensity is 0 everywhere");
  Eigen::MatrixXd columns(points, unknowns);
  columns.col(0) = computed.cwiseQuotient(sigma) / largest;
  if (background) columns.col(1) = sigma.cwiseInverse();
  if (columnOrder(columns).rank < unknowns)
    throw Error("the computed intensity is the same everywhere, so that a background cannot be told from it");
  const Eigen::VectorXd x = leastSquares(columns, measured.cwiseQuotient(sigma));
  Agreement a;
  a.scale = x(0) / largest;
  a.background = background ? x(1) : 0;
  a.fitted = (a.scale * computed).array() + a.background;
  const Eigen::VectorXd left = measured - a.fitted;
  a.r = left.cwiseAbs().sum() / measured.cwiseAbs().sum();
  const double square = left.cwiseQuotient(sigma).squaredNorm();
  a.rWeighted = std::sqrt(square / measured.cwiseQuotient(sigma).squaredNorm());
  a.chiSquared = square / static_cast<double>(points - unknowns);
  return a;
}

}  // namespace prophet
