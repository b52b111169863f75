#include "atoms/limit/radial_basis.hpp"

#include <cmath>

#include "atoms/limit/dense_solvers.hpp"

namespace prophet::limit {
namespace {

// transpose(a) diag(d) b
Eigen::MatrixXd weighted(const Eigen::MatrixXd& a, const Eigen::VectorXd& d, const Eigen::MatrixXd& b) {
  return multiply(a, true, d.asDiagonal() * b, false);
}

}  // namespace

RadialBasis::RadialBasis(const Mesh& mesh, int order, int pointsInCell, Components parts)
    : largeSpace(order, mesh.breaks, mesh.multiplicity),
      smallSpace(order - 1, mesh.breaks, mesh.multiplicity),
      components(parts),
      rule(gaussLegendre(pointsInCell)),
      cells(largeSpace.cells()),
      points(cells * pointsInCell) {
  x.resize(points);
  weight.resize(points);
  large.setZero(points, largeSpace.size());
  largeSlope = large;
  small.setZero(points, smallSpace.size());
  std::vector<double> values(order), slopes(order);
  for (int i = 0; i < points; ++i) {
    const int cell = i / pointsInCell, node = i % pointsInCell;
    const double half = 0.5 * cellWidth(cell);
    x[i] = mesh.breaks[cell] + half * (1 + rule.nodes[node]);
    weight[i] = half * rule.weights[node];
    largeSpace.evaluate(cell, x[i], values.data(), slopes.data());
    for (int s = 0; s < order; ++s) {
      large(i, largeSpace.firstSpline(cell) + s) = values[s];
      largeSlope(i, largeSpace.firstSpline(cell) + s) = slopes[s];
    }
    smallSpace.evaluate(cell, x[i], values.data(), slopes.data());
    for (int s = 0; s < order - 1; ++s) small(i, smallSpace.firstSpline(cell) + s) = values[s];
  }
  r = x.array().exp();
  largeOverlap = weighted(large, weight, large);
  smallOverlap = weighted(small, weight, small);
}

Eigen::MatrixXd RadialBasis::largeValues(Symmetry s, const Eigen::MatrixXd& coefficients) const {
  return large.middleCols(firstLarge(s), largeCount(s)) * coefficients.topRows(largeCount(s));
}

Eigen::MatrixXd RadialBasis::smallValues(const Eigen::MatrixXd& coefficients) const {
  return small.leftCols(smallCount()) * coefficients.bottomRows(smallCount());
}

Eigen::MatrixXd RadialBasis::restrictTo(Symmetry s, const Eigen::MatrixXd& all) const {
  const int nl = largeCount(s), ns = smallCount(), first = firstLarge(s), offset = largeSpace.size();
  Eigen::MatrixXd part(nl + ns, nl + ns);
  part.topLeftCorner(nl, nl) = all.block(first, first, nl, nl);
  part.bottomRightCorner(ns, ns) = all.block(offset, offset, ns, ns);
  part.topRightCorner(nl, ns) = all.block(first, offset, nl, ns);
  part.bottomLeftCorner(ns, nl) = all.block(offset, first, ns, nl);
  return part;
}

Eigen::MatrixXd RadialBasis::localMatrix(Symmetry s, const Eigen::VectorXd& values) const {
  const int nl = largeCount(s), ns = smallCount();
  const Eigen::VectorXd d = values.cwiseProduct(weight);
  const Eigen::MatrixXd own = large.middleCols(firstLarge(s), nl);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(nl + ns, nl + ns);
  matrix.topLeftCorner(nl, nl) = weighted(own, d, own);
  if (hasSmall()) matrix.bottomRightCorner(ns, ns) = weighted(small, d, small);
  return matrix;
}

Eigen::MatrixXd RadialBasis::couplingMatrix(Symmetry s, const Eigen::VectorXd& values) const {
  const int nl = largeCount(s), ns = smallCount();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(nl + ns, nl + ns);
  matrix.topRightCorner(nl, ns) =
      weighted(large.middleCols(firstLarge(s), nl), values.cwiseProduct(weight), small);
  matrix.bottomLeftCorner(ns, nl) = matrix.topRightCorner(nl, ns).transpose();
  return matrix;
}

// With P = p/sqrt(r), dr = r dx: c <Q|(d/dr + kappa/r)P> = c integral (q/r) (dp/dx + (kappa - 1/2) p) dx.
// p^2/2 is the limit of large c, in which Q is the part of (d/dr + kappa/r) P/(2c) that the splines of q
// have: its energies converge as fast as Dirac's, a hundred times closer than those of the derivative itself.
Eigen::MatrixXd RadialBasis::kineticMatrix(Symmetry s, double c) const {
  const int nl = largeCount(s), ns = smallCount(), first = firstLarge(s);
  if (!hasSmall()) {
    const Eigen::MatrixXd lowered =
        largeSlope.middleCols(first, nl) - (s.l() + 1.5) * large.middleCols(first, nl);
    const Eigen::MatrixXd derivative = weighted(small, weight.cwiseQuotient(r), lowered);
    const Eigen::MatrixXd matrix =
        0.5 * multiply(derivative, true, solveLinear(smallOverlap, derivative), false);
    return 0.5 * (matrix + matrix.transpose());
  }
  const Eigen::MatrixXd raised =
      largeSlope.middleCols(first, nl) + (s.kappa - 0.5) * large.middleCols(first, nl);
  const Eigen::VectorXd d = c * weight.cwiseQuotient(r);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(nl + ns, nl + ns);
  matrix.bottomLeftCorner(ns, nl) = weighted(small, d, raised);
  matrix.topRightCorner(nl, ns) = matrix.bottomLeftCorner(ns, nl).transpose();
  matrix.bottomRightCorner(ns, ns) = -2 * c * c * smallOverlap;
  return matrix;
}

Eigen::MatrixXd RadialBasis::overlapMatrix(Symmetry s) const {
  const int nl = largeCount(s), ns = smallCount(), first = firstLarge(s);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(nl + ns, nl + ns);
  matrix.topLeftCorner(nl, nl) = largeOverlap.block(first, first, nl, nl);
  if (hasSmall()) matrix.bottomRightCorner(ns, ns) = smallOverlap;
  return matrix;
}

}  // namespace prophet::limit
