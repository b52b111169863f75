#pragma once
#include <Eigen/Core>

namespace prophet::limit {

/// Gauss-Legendre rule on [-1, 1]; nodes ascending.
struct GaussRule {
  Eigen::VectorXd nodes, weights;
  int size() const { return static_cast<int>(nodes.size()); }
};

/// Nodes and weights to rounding, from the zeros that Boost.Math finds in long double. Throws Error for count
/// < 1.
GaussRule gaussLegendre(int count);

/// Lagrange polynomials of `nodes` at `points`: matrix (points x nodes).
Eigen::MatrixXd lagrangePolynomials(const Eigen::VectorXd& nodes, const Eigen::VectorXd& points);

}  // namespace prophet::limit
