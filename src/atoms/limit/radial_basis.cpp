#include "atoms/limit/radial_basis.hpp"

#include <algorithm>
#include <cmath>

#include "atoms/limit/spectrum.hpp"

namespace prophet::limit {
namespace {

constexpr double kCoreCell = 0.23;          // in x, where spinors oscillate
constexpr double kCellPhase = 1.6;          // phase of a Rydberg state in a cell; up to n = 7 kCoreCell does
constexpr double kWidestCell = 3.0;         // in x, near the origin
constexpr double kCellGrowth = 0.22;        // widening per unit of x below the core
constexpr double kCoreScale = 0.08;         // the core reaches down to r = kCoreScale / Z
constexpr double kTailCell = 2.0;           // in units of the decay length
constexpr double kDeepCoreCoupling = 0.95;  // Z/c from which the core reaches down to a finite nucleus
constexpr double kSurfaceCell = 1.5;        // in units of the surface's width
constexpr double kSurfaceReach = 6.0;       // in the same units
constexpr double kPointDecades = 7.2;       // (Z r_min)^gamma for a point nucleus, as a power of ten
constexpr double kInsideNucleus = 3e-5;     // r_min over the rms radius for the others

// Cells per unit of x wanted at radius r = exp(x).
double cellDensity(const MeshRequest& m, double x) {
  const double r = std::exp(x);
  // Where no power of r describes a spinor any longer, it is the surface of the nucleus that ends its
  // oscillation.
  double core = std::log(kCoreScale / m.nucleus.charge);
  if (!m.nucleus.isPoint() && m.nucleus.charge > kDeepCoreCoupling * m.speedOfLight)
    core = std::min(core, std::log(m.nucleus.rms));
  const double depth = std::max(0.0, core - x);
  double density = 1 / std::min(kCoreCell + kCellGrowth * depth, kWidestCell);
  const double phase = std::sqrt(std::max(0.0, r * (2 * m.charge - m.decay * m.decay * r)));  // per unit of x
  density = std::max(density, phase / kCellPhase);
  if (!m.nucleus.isPoint()) {
    const double distance = (x - std::log(m.nucleus.rms)) / 1.2;
    density = std::max(density, std::exp(-distance * distance) / kCoreCell);
  }
  if (const auto surface = m.nucleus.surface(); surface && surface->width > 0) {
    const double distance = (r - surface->radius) / (kSurfaceReach * surface->width);
    density += r / (kSurfaceCell * surface->width) * std::exp(-distance * distance);
  }
  return m.density * (density + r * m.decay / kTailCell);
}

// Break points of [from, to] (without `from`) that share the integral of the density equally.
void appendCells(const MeshRequest& m, double from, double to, std::vector<double>& breaks) {
  constexpr int kSteps = 8000;
  std::vector<double> cumulative(kSteps + 1, 0.0);
  const double step = (to - from) / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    cumulative[i + 1] = cumulative[i] + step * cellDensity(m, from + (i + 0.5) * step);
  }
  const int cells = std::max(1, static_cast<int>(std::ceil(cumulative.back())));
  int i = 0;
  for (int c = 1; c < cells; ++c) {
    const double target = cumulative.back() * c / cells;
    while (cumulative[i + 1] < target) ++i;
    const double share = (target - cumulative[i]) / (cumulative[i + 1] - cumulative[i]);
    breaks.push_back(from + (i + share) * step);
  }
  breaks.push_back(to);
}

}  // namespace

double smallestRadius(const Nucleus& nucleus, double speedOfLight) {
  if (!nucleus.isPoint()) return kInsideNucleus * nucleus.rms;
  const double coupling = nucleus.charge / speedOfLight;
  return std::pow(10.0, -kPointDecades / std::sqrt(1 - coupling * coupling)) / nucleus.charge;
}

Mesh makeMesh(const MeshRequest& m) {
  Mesh mesh;
  const double first = std::log(smallestRadius(m.nucleus, m.speedOfLight)), last = std::log(m.largestRadius);
  mesh.breaks.push_back(first);
  std::vector<std::pair<int, int>> edges;  // number of a break, multiplicity
  const auto addEdge = [&](double radius, int multiplicity) {
    const double x = std::log(radius);
    if (!(x > mesh.breaks.back() && x < last)) return;
    appendCells(m, mesh.breaks.back(), x, mesh.breaks);
    edges.emplace_back(static_cast<int>(mesh.breaks.size()) - 1, std::max(1, multiplicity));
  };
  // The second derivative of the potential of a sharp surface jumps, so the third derivative of a spinor
  // does; of a shell's potential the first one.
  if (const auto surface = m.nucleus.surface(); surface && surface->width == 0)
    addEdge(surface->radius, m.smoothOrder - 3);
  if (m.shellRadius > 0) addEdge(m.shellRadius, m.smoothOrder - 2);
  appendCells(m, mesh.breaks.back(), last, mesh.breaks);
  mesh.multiplicity.assign(mesh.breaks.size(), 1);
  for (const auto& [number, multiplicity] : edges) mesh.multiplicity[number] = multiplicity;
  return mesh;
}

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
