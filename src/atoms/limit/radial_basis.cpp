#include "atoms/limit/radial_basis.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "atoms/limit/mean_field.hpp"
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

namespace {

constexpr double kCoreCell = 0.23;          // in x, where spinors oscillate
constexpr double kCellPhase = 1.6;          // phase of a Rydberg state in a cell; up to n = 7 kCoreCell does
constexpr double kWidestFirstCell = 3.0;    // in x, near the origin
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
  double density = 1 / std::min(kCoreCell + kCellGrowth * depth, kWidestFirstCell);
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
    : RadialMesh(mesh.breaks, pointsInCell),
      largeSpace(order, mesh.breaks, mesh.multiplicity),
      smallSpace(order - 1, mesh.breaks, mesh.multiplicity),
      components(parts) {
  large.setZero(points, largeSpace.size());
  largeSlope = large;
  small.setZero(points, smallSpace.size());
  smallSlope = small;
  std::vector<double> values(order), slopes(order);
  for (int i = 0; i < points; ++i) {
    const int cell = i / pointsInCell;
    largeSpace.evaluate(cell, x[i], values.data(), slopes.data());
    for (int s = 0; s < order; ++s) {
      large(i, largeSpace.firstSpline(cell) + s) = values[s];
      largeSlope(i, largeSpace.firstSpline(cell) + s) = slopes[s];
    }
    smallSpace.evaluate(cell, x[i], values.data(), slopes.data());
    for (int s = 0; s < order - 1; ++s) {
      small(i, smallSpace.firstSpline(cell) + s) = values[s];
      smallSlope(i, smallSpace.firstSpline(cell) + s) = slopes[s];
    }
  }
  largeOverlap = weighted(large, weight, large);
  smallOverlap = weighted(small, weight, small);
}

Eigen::MatrixXd RadialBasis::largeValues(Symmetry s, const Eigen::MatrixXd& coefficients) const {
  return large.middleCols(firstLarge(s), largeCount(s)) * coefficients.topRows(largeCount(s));
}

Eigen::MatrixXd RadialBasis::smallValues(const Eigen::MatrixXd& coefficients) const {
  if (!hasSmall()) return Eigen::MatrixXd::Zero(points, coefficients.cols());
  return small * coefficients.bottomRows(smallCount());
}

Eigen::MatrixXd RadialBasis::largeSlopes(Symmetry s, const Eigen::MatrixXd& coefficients) const {
  return largeSlope.middleCols(firstLarge(s), largeCount(s)) * coefficients.topRows(largeCount(s));
}

Eigen::MatrixXd RadialBasis::smallSlopes(const Eigen::MatrixXd& coefficients) const {
  if (!hasSmall()) return Eigen::MatrixXd::Zero(points, coefficients.cols());
  return smallSlope * coefficients.bottomRows(smallCount());
}

// Only the splines of one cell overlap on its points.
Eigen::MatrixXd RadialBasis::localMatrixOfAll(const RadialPotential& ofLarge,
                                              const RadialPotential& ofSmall) const {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(allSplines(), allSplines());
  const auto add = [&](const SplineSpace& space, const Eigen::MatrixXd& splines,
                       const Eigen::MatrixXd& slopes, const RadialPotential& potential, int offset) {
    const int rows = pointsPerCell(), order = space.order();
    for (int cell = 0; cell < cells; ++cell) {
      const int point = cell * rows, first = space.firstSpline(cell);
      const auto here = splines.block(point, first, rows, order),
                 rise = slopes.block(point, first, rows, order);
      const auto w = weight.segment(point, rows);
      Eigen::MatrixXd image =
          (0.5 * w.cwiseProduct(potential.local.segment(point, rows))).asDiagonal() * here;
      if (potential.gradient.size() > 0)
        image += w.cwiseProduct(potential.gradient.segment(point, rows)).asDiagonal() * rise;
      Eigen::MatrixXd half = here.transpose() * image;
      if (potential.kinetic.size() > 0)
        half += rise.transpose() *
                ((0.5 * w.cwiseProduct(potential.kinetic.segment(point, rows))).asDiagonal() * rise);
      matrix.block(offset + first, offset + first, order, order) += half + half.transpose();
    }
  };
  add(largeSpace, large, largeSlope, ofLarge, 0);
  for (int block = 0; block < smallBlocks(); ++block)
    add(smallSpace, small, smallSlope, ofSmall, largeSpace.size() + block * smallSpace.size());
  return matrix;
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

// Adds the same block for each of the functions beside P.
void RadialBasis::addSmall(const Eigen::MatrixXd& block, Eigen::MatrixXd& matrix) const {
  const Eigen::Index n = block.rows(), from = matrix.rows() - smallCount();
  for (int i = 0; i < smallBlocks(); ++i) matrix.block(from + i * n, from + i * n, n, n) += block;
}

Eigen::MatrixXd RadialBasis::localMatrix(Symmetry s, const Eigen::VectorXd& values) const {
  const int nl = largeCount(s), ns = smallCount();
  const Eigen::VectorXd d = values.cwiseProduct(weight);
  const Eigen::MatrixXd own = large.middleCols(firstLarge(s), nl);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(nl + ns, nl + ns);
  matrix.topLeftCorner(nl, nl) = weighted(own, d, own);
  if (ns > 0) addSmall(weighted(small, d, small), matrix);
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
// The orbital of both j has the Q of kappa = -(l + 1) and of kappa = l with the weights of their j.
Eigen::MatrixXd RadialBasis::kineticMatrix(Symmetry s, double c) const {
  const int nl = largeCount(s), ns = smallCount(), first = firstLarge(s);
  if (components == Components::LargeOnly) {
    const Eigen::MatrixXd lowered =
        largeSlope.middleCols(first, nl) - (s.l() + 1.5) * large.middleCols(first, nl);
    const Eigen::MatrixXd derivative = weighted(small, weight.cwiseQuotient(r), lowered);
    const Eigen::MatrixXd matrix =
        0.5 * multiply(derivative, true, solveLinear(smallOverlap, derivative), false);
    return 0.5 * (matrix + matrix.transpose());
  }
  const Eigen::VectorXd d = c * weight.cwiseQuotient(r);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(nl + ns, nl + ns);
  const auto raise = [&](int kappa, double share, int block) {
    const Eigen::MatrixXd raised =
        largeSlope.middleCols(first, nl) + (kappa - 0.5) * large.middleCols(first, nl);
    matrix.block(nl + block * smallSpace.size(), 0, smallSpace.size(), nl) =
        weighted(small, std::sqrt(share) * d, raised);
  };
  const int l = s.l();
  if (hasSmall()) {
    raise(s.kappa, 1, 0);
  } else {
    raise(-l - 1, (l + 1.0) / (2 * l + 1), 0);
    raise(l, l / (2.0 * l + 1), 1);
  }
  matrix.topRightCorner(nl, ns) = matrix.bottomLeftCorner(ns, nl).transpose();
  addSmall(-2 * c * c * smallOverlap, matrix);
  return matrix;
}

Eigen::MatrixXd RadialBasis::overlapMatrix(Symmetry s) const {
  const int nl = largeCount(s), ns = smallCount(), first = firstLarge(s);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(nl + ns, nl + ns);
  matrix.topLeftCorner(nl, nl) = largeOverlap.block(first, first, nl, nl);
  if (ns > 0) addSmall(smallOverlap, matrix);
  return matrix;
}

Eigen::MatrixXd RadialBasis::densityOrbitals(Symmetry s, const Eigen::MatrixXd& coefficients) const {
  if (smallBlocks() < 2) return coefficients;
  Eigen::MatrixXd orbitals = coefficients;
  orbitals.bottomRows(smallCount()).setZero();
  const int nl = largeCount(s), first = firstLarge(s);
  const Eigen::MatrixXd overlap = largeOverlap.block(first, first, nl, nl);
  for (auto orbital : orbitals.colwise())
    orbital /= std::sqrt(orbital.head(nl).dot(overlap * orbital.head(nl)));
  return orbitals;
}

}  // namespace prophet::limit
