#include "atoms/limit/mesh.hpp"

#include <algorithm>
#include <cmath>

namespace prophet::limit {
namespace {

constexpr double kCoreCell = 0.23;          // in x, where spinors oscillate
constexpr double kCellPhase = 1.6;          // phase of a Rydberg state in a cell; up to n = 7 kCoreCell does
constexpr double kWidestCell = 3.0;         // in x, near the origin
constexpr double kCellGrowth = 0.22;        // widening per unit of x below the core
constexpr double kCoreScale = 0.08;         // the core reaches down to r = kCoreScale / Z
constexpr double kTailCell = 2.0;           // in units of the decay length
constexpr double kDeepCoreCoupling = 0.95;  // Z/c from which the core reaches down to a finite nucleus
constexpr double kSurfaceCell = 1.5;        // in units of the Fermi parameter a
constexpr double kSurfaceReach = 6.0;       // in the same units
constexpr double kPointDecades = 7.2;       // (Z r_min)^gamma for a point nucleus, as a power of ten
constexpr double kInsideNucleus = 3e-5;     // r_min over the rms radius for the others

// Cells per unit of x wanted at radius r = exp(x).
double cellDensity(const MeshRequest& m, double x) {
  const double r = std::exp(x);
  // Where no power of r describes a spinor any longer, it is the surface of the nucleus that ends its
  // oscillation.
  double core = std::log(kCoreScale / m.nucleus.charge);
  if (m.nucleus.model != NuclearModel::Point && m.nucleus.charge > kDeepCoreCoupling * m.speedOfLight)
    core = std::min(core, std::log(m.nucleus.rms));
  const double depth = std::max(0.0, core - x);
  double density = 1 / std::min(kCoreCell + kCellGrowth * depth, kWidestCell);
  const double phase = std::sqrt(std::max(0.0, r * (2 * m.charge - m.decay * m.decay * r)));  // per unit of x
  density = std::max(density, phase / kCellPhase);
  if (m.nucleus.model != NuclearModel::Point) {
    const double distance = (x - std::log(m.nucleus.rms)) / 1.2;
    density = std::max(density, std::exp(-distance * distance) / kCoreCell);
  }
  if (m.nucleus.model == NuclearModel::Fermi) {
    const double distance = (r - m.nucleus.fermiC) / (kSurfaceReach * m.nucleus.fermiA);
    density += r / (kSurfaceCell * m.nucleus.fermiA) * std::exp(-distance * distance);
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
  if (nucleus.model != NuclearModel::Point) return kInsideNucleus * nucleus.rms;
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
  // The second derivative of the sphere's potential jumps, so the third derivative of a spinor does; of a
  // shell's potential the first one.
  if (m.nucleus.model == NuclearModel::Sphere) addEdge(m.nucleus.sphereRadius, m.smoothOrder - 3);
  if (m.shellRadius > 0) addEdge(m.shellRadius, m.smoothOrder - 2);
  appendCells(m, mesh.breaks.back(), last, mesh.breaks);
  mesh.multiplicity.assign(mesh.breaks.size(), 1);
  for (const auto& [number, multiplicity] : edges) mesh.multiplicity[number] = multiplicity;
  return mesh;
}

}  // namespace prophet::limit
