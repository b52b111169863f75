#include "atoms/limit/splines.hpp"

#include <algorithm>
#include <boost/math/special_functions/legendre.hpp>
#include <vector>

#include "core/common/error.hpp"

namespace prophet::limit {

SplineSpace::SplineSpace(int order, std::vector<double> breaks, const std::vector<int>& multiplicity)
    : order_(order), breaks_(std::move(breaks)) {
  const int last = static_cast<int>(breaks_.size()) - 1;
  for (int b = 0; b <= last; ++b) {
    const int copies = b == 0 || b == last ? order_ : multiplicity[b];
    knots_.insert(knots_.end(), copies, breaks_[b]);
    if (b < last) lastKnot_.push_back(static_cast<int>(knots_.size()) - 1);
  }
}

std::vector<int> SplineSpace::multiplicity() const {
  std::vector<int> copies;
  for (const double point : breaks_)
    copies.push_back(static_cast<int>(std::count(knots_.begin(), knots_.end(), point)));
  return copies;
}

int SplineSpace::cellOf(double x) const {
  const auto next = std::upper_bound(breaks_.begin(), breaks_.end(), x);
  const int cell = static_cast<int>(next - breaks_.begin()) - 1;
  return std::clamp(cell, 0, cells() - 1);
}

// The triangular recursion in the order of the splines: values[0 .. order-1] of the splines that do not
// vanish between the knots `knot` and `knot` + 1.
void SplineSpace::lowerOrder(int knot, double x, int order, double* values) const {
  values[0] = 1;
  for (int k = 1; k < order; ++k) {
    double carried = 0;
    for (int i = 0; i < k; ++i) {
      const double right = knots_[knot + 1 + i], left = knots_[knot + 1 + i - k];
      const double share = values[i] / (right - left);
      values[i] = carried + (right - x) * share;
      carried = (x - left) * share;
    }
    values[k] = carried;
  }
}

void SplineSpace::evaluate(int cell, double x, double* values, double* derivatives) const {
  const int knot = lastKnot_[cell];
  lowerOrder(knot, x, order_, values);
  lowerOrder(knot, x, order_ - 1, derivatives);
  // B'_(i,k) = (k-1) [ B_(i,k-1)/(t_(i+k-1) - t_i) - B_(i+1,k-1)/(t_(i+k) - t_(i+1)) ]
  const int degree = order_ - 1;
  double carried = 0;
  for (int i = 0; i < degree; ++i) {
    const double share = degree * derivatives[i] / (knots_[knot + 1 + i] - knots_[knot + 1 + i - degree]);
    derivatives[i] = carried - share;
    carried = share;
  }
  derivatives[degree] = carried;
}

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
