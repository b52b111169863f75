#include "atoms/limit/quadrature.hpp"

#include <boost/math/special_functions/legendre.hpp>
#include <vector>

#include "core/common/error.hpp"

namespace prophet::limit {

GaussRule gaussLegendre(int count) {
  if (count < 1) throw Error("a quadrature rule needs at least one point");
  GaussRule rule{Eigen::VectorXd(count), Eigen::VectorXd(count)};
  const std::vector<long double> zeros = boost::math::legendre_p_zeros<long double>(count);  // 0 and above
  const int zerosCount = static_cast<int>(zeros.size());
  for (int i = 0; i < zerosCount; ++i) {
    const long double x = zeros[i], slope = boost::math::legendre_p_prime(count, x);
    const int below = zerosCount - 1 - i, above = count - zerosCount + i;
    rule.nodes[below] = static_cast<double>(-x);
    rule.nodes[above] = static_cast<double>(x);
    rule.weights[below] = rule.weights[above] = static_cast<double>(2 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

Eigen::MatrixXd lagrangePolynomials(const Eigen::VectorXd& nodes, const Eigen::VectorXd& points) {
  Eigen::MatrixXd values(points.size(), nodes.size());
  for (int p = 0; p < points.size(); ++p) {
    for (int i = 0; i < nodes.size(); ++i) {
      double product = 1;
      for (int j = 0; j < nodes.size(); ++j) {
        if (j != i) product *= (points[p] - nodes[j]) / (nodes[i] - nodes[j]);
      }
      values(p, i) = product;
    }
  }
  return values;
}

}  // namespace prophet::limit
