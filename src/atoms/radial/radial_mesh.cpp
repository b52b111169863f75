#include "atoms/radial/radial_mesh.hpp"

#include <algorithm>
#include <boost/math/special_functions/legendre.hpp>
#include <cmath>

#include "atoms/integrals/primitives.hpp"
#include "core/common/error.hpp"

namespace prophet {

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

RadialMesh::RadialMesh(std::vector<double> ends, int pointsInCell)
    : breaks(std::move(ends)),
      rule(gaussLegendre(pointsInCell)),
      cells(static_cast<int>(breaks.size()) - 1),
      points(cells * pointsInCell),
      x(points),
      weight(points) {
  for (int i = 0; i < points; ++i) {
    const int cell = i / pointsInCell, node = i % pointsInCell;
    const double half = 0.5 * cellWidth(cell);
    x[i] = breaks[cell] + half * (1 + rule.nodes[node]);
    weight[i] = half * rule.weights[node];
  }
  r = x.array().exp();
}

std::vector<double> dividedCells(const std::vector<double>& breaks, double widest) {
  std::vector<double> narrow = {breaks.front()};
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    const double width = breaks[i + 1] - breaks[i];
    const int parts = std::max(1, static_cast<int>(std::ceil(width / widest)));
    for (int p = 1; p < parts; ++p) narrow.push_back(breaks[i] + width * p / parts);
    narrow.push_back(breaks[i + 1]);
  }
  return narrow;
}

RadialTable tabulated(const Wavefunction& functions, const RadialMesh& mesh) {
  const Eigen::VectorXd root = mesh.r.cwiseSqrt();
  RadialTable table{Eigen::MatrixXd::Zero(mesh.points, functions.count()), {}};
  table.small = table.large;
  Eigen::Index column = 0;
  for (const RadialFunctions& f : functions.allRadial(mesh.r)) {
    table.large.col(column) = f.large.cwiseProduct(root);
    if (f.small.size() > 0) table.small.col(column) = f.small.cwiseProduct(root);
    ++column;
  }
  return table;
}

RadialTable gaussiansAt(Symmetry symmetry, const std::vector<double>& exponents, const Eigen::VectorXd& r,
                        double power, bool withSmall) {
  const auto count = static_cast<Eigen::Index>(exponents.size());
  RadialTable table{Eigen::MatrixXd(r.size(), count), Eigen::MatrixXd(withSmall ? r.size() : 0, count)};
  const Eigen::ArrayXd square = r.array().square(), powers = r.array().pow(symmetry.l() + power);
  for (Eigen::Index p = 0; p < count; ++p) {
    const Primitive g = makePrimitive(symmetry, exponents[static_cast<std::size_t>(p)]);
    const Eigen::ArrayXd common = powers * (-g.zeta * square).exp();
    table.large.col(p) = g.norm * common * r.array();
    if (withSmall) table.small.col(p) = common * (g.small0 + g.small2 * square);
  }
  return table;
}

}  // namespace prophet
