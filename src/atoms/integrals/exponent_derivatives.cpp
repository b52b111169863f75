#include "atoms/integrals/exponent_derivatives.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "atoms/integrals/nuclear_attraction.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "atoms/integrals/primitives.hpp"
#include "atoms/integrals/radial_grid.hpp"

namespace prophet {
namespace {

/// sum_(i < count) c_i r^(power + 2 i) exp(-zeta r^2)
struct Terms {
  int power, count;
  std::array<double, 3> c;
};

Terms largeOf(const Primitive& f, int l) { return {l + 1, 1, {f.norm}}; }

Terms largeDerivative(const Primitive& f, int l) {
  return {l + 1, 2, {0.25 * (2 * l + 3) * f.norm, -f.zeta * f.norm}};
}

Terms smallOf(const Primitive& f, int l) {
  if (f.small0 == 0.0) return {l + 2, 1, {f.small2}};
  return {l, 2, {f.small0, f.small2}};
}

/// The factors go as zeta^((2l+1)/4) and zeta^((2l+5)/4).
Terms smallDerivative(const Primitive& f, int l) {
  const double rise = 0.25 * (2 * l + 5) * f.small2;
  if (f.small0 == 0.0) return {l + 2, 2, {rise, -f.zeta * f.small2}};
  return {l, 3, {0.25 * (2 * l + 1) * f.small0, rise - f.zeta * f.small0, -f.zeta * f.small2}};
}

double attractionBetween(const Nucleus& nucleus, const Terms& f, const Terms& g, double zeta) {
  const int count = f.count + g.count - 1, power = f.power + g.power;
  std::array<double, 4> c{};
  for (int i = 0; i < f.count; ++i)
    for (int j = 0; j < g.count; ++j) c[i + j] += f.c[i] * g.c[j];
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += c[i] * nuclearAttraction(nucleus, power + 2 * i, zeta);
  return -nucleus.charge * sum;
}

void closedForms(const SymmetryBasis& basis, const Nucleus& nucleus, ExponentDerivatives& d) {
  const int n = basis.size(), l = basis.symmetry.l();
  std::vector<Primitive> f;
  for (const double zeta : basis.exponents) f.push_back(makePrimitive(basis.symmetry, zeta));
  for (int p = 0; p < n; ++p) {
    const Terms large = largeDerivative(f[p], l), small = smallDerivative(f[p], l);
    for (int q = 0; q < n; ++q) {
      const double zeta = f[p].zeta + f[q].zeta;
      d.nuclearLarge(p, q) = attractionBetween(nucleus, large, largeOf(f[q], l), zeta);
      d.nuclearSmall(p, q) = attractionBetween(nucleus, small, smallOf(f[q], l), zeta);
    }
  }
}

void quadrature(const SymmetryBasis& basis, const Nucleus& nucleus, ExponentDerivatives& d) {
  const RadialGrid grid = makeGrid({{basis}, ""}, kFermiSpacing);
  const Eigen::VectorXd r = grid.radii();
  Eigen::VectorXd v(grid.points);
  for (int i = 0; i < grid.points; ++i) v(i) = nucleus.potential(r(i));
  const GridFunctions f = evaluateOnGrid(basis, grid), df = evaluateDerivativesOnGrid(basis, grid);
  d.nuclearLarge = df.large.transpose() * v.asDiagonal() * f.large;
  d.nuclearSmall = df.small.transpose() * v.asDiagonal() * f.small;
}

}  // namespace

ExponentDerivatives exponentDerivatives(const SymmetryBasis& basis, const Nucleus& nucleus) {
  const int n = basis.size(), l = basis.symmetry.l();
  const OverlapBlocks s = overlapBetween(basis, basis);
  ExponentDerivatives d{s.large, s.small, Eigen::MatrixXd(n, n), Eigen::MatrixXd(n, n)};
  for (int p = 0; p < n; ++p) {
    for (int q = 0; q < n; ++q) {
      // Of t^(l+3/2) and t^(l+5/2), t = 2 sqrt(a b)/(a + b).
      const double a = basis.exponents[p], b = basis.exponents[q];
      const double slope = 0.5 * (b - a) / (a + b);
      d.overlapLarge(p, q) *= (l + 1.5) * slope;
      d.overlapSmall(p, q) *= (l + 2.5) * slope;
    }
  }
  if (nucleus.model == NuclearModel::Fermi) {
    quadrature(basis, nucleus, d);
  } else {
    closedForms(basis, nucleus, d);
  }
  return d;
}

}  // namespace prophet
