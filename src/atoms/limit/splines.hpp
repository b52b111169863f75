#pragma once
#include <Eigen/Core>
#include <vector>

namespace prophet::limit {

/// B-splines of one order (degree + 1) over a list of break points.
///
/// End points carry `order`-fold knots, so the first spline is 1 at the left end and the last is 1 at the
/// right end. An interior break point of multiplicity m leaves order - 1 - m continuous derivatives. Source:
/// C. de Boor, A Practical Guide to Splines (2001), chapter IX.
class SplineSpace {
 public:
  /// `multiplicity`: one entry for each break point; those of the two ends are not used.
  SplineSpace(int order, std::vector<double> breaks, const std::vector<int>& multiplicity);

  int order() const { return order_; }
  int size() const { return static_cast<int>(knots_.size()) - order_; }
  int cells() const { return static_cast<int>(breaks_.size()) - 1; }
  const std::vector<double>& breaks() const { return breaks_; }

  /// How often each break point stands among the knots.
  std::vector<int> multiplicity() const;

  /// Index of the first of the `order` splines that are not zero in a cell.
  int firstSpline(int cell) const { return lastKnot_[cell] - order_ + 1; }
  /// Cell that contains x; the nearest one for x outside.
  int cellOf(double x) const;
  /// Values and first derivatives at x (inside `cell`) of the splines firstSpline(cell) ... + order - 1.
  void evaluate(int cell, double x, double* values, double* derivatives) const;

 private:
  void lowerOrder(int knot, double x, int order, double* values) const;

  int order_;
  std::vector<double> breaks_, knots_;
  std::vector<int> lastKnot_;  ///< for each cell the last knot that is not beyond its left end
};

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
