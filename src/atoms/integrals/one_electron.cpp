#include "atoms/integrals/one_electron.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "atoms/integrals/primitives.hpp"
#include "atoms/integrals/radial.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "core/common/error.hpp"

namespace prophet {

namespace {

/// A nucleus whose attraction has a closed form.
struct ClosedNucleus {
  double charge;
  NuclearAttraction attraction;
};

double distributionAttraction(const ClosedNucleus& nucleus, const PairDistribution& d) {
  double sum = 0.0;
  for (int i = 0; i < d.count; ++i)
    sum += d.coefficient[i] * radial::attraction(nucleus.attraction, d.power + 2 * i, d.zeta);
  return -nucleus.charge * sum;
}

void fillNuclear(const ClosedNucleus& nucleus, const std::vector<Primitive>& f, int l,
                 OneElectronMatrices& m) {
  const int n = static_cast<int>(f.size());
  m.nuclearLarge.resize(n, n);
  m.nuclearSmall.resize(n, n);
  for (int p = 0; p < n; ++p) {
    for (int q = 0; q <= p; ++q) {
      m.nuclearLarge(p, q) = distributionAttraction(nucleus, largePair(f[p], l, f[q], l));
      m.nuclearSmall(p, q) = distributionAttraction(nucleus, smallPair(f[p], l, f[q], l));
      m.nuclearLarge(q, p) = m.nuclearLarge(p, q);
      m.nuclearSmall(q, p) = m.nuclearSmall(p, q);
    }
  }
}

double distributionMoment(const PairDistribution& d, int power) {
  double sum = 0.0;
  for (int i = 0; i < d.count; ++i) sum += d.coefficient[i] * radial::moment(d.power + 2 * i + power, d.zeta);
  return sum;
}

std::vector<Primitive> primitivesOf(const SymmetryBasis& block) {
  std::vector<Primitive> f;
  for (const double zeta : block.exponents) f.push_back(makePrimitive(block.symmetry, zeta));
  return f;
}

}  // namespace

/// <P|P> = t^(l+3/2) and <Q|Q> = t^(l+5/2) with t = 2 sqrt(a b)/(a + b): restricted kinetic balance turns the
/// small-component overlap into the kinetic energy of the large one.
OverlapBlocks overlapBetween(const SymmetryBasis& rows, const SymmetryBasis& columns) {
  if (!(rows.symmetry == columns.symmetry)) throw Error("functions of different symmetries do not overlap");
  const int l = rows.symmetry.l();
  OverlapBlocks s{Eigen::MatrixXd(rows.size(), columns.size()), Eigen::MatrixXd(rows.size(), columns.size())};
  for (int p = 0; p < rows.size(); ++p) {
    for (int q = 0; q < columns.size(); ++q) {
      const double a = rows.exponents[p], b = columns.exponents[q];
      const double t = 2.0 * std::sqrt(a * b) / (a + b);
      s.large(p, q) = radial::halfPower(t, 2 * l + 3);
      s.small(p, q) = radial::halfPower(t, 2 * l + 5);
    }
  }
  return s;
}

Eigen::VectorXd balanceOf(const SymmetryBasis& basis) {
  Eigen::VectorXd balance(basis.size());
  for (int p = 0; p < basis.size(); ++p)
    balance(p) = std::sqrt((2 * basis.symmetry.l() + 3) * basis.exponents[p]);
  return balance;
}

std::vector<OneElectronMatrices> oneElectronMatrices(const BasisSet& basis, const Nucleus& nucleus) {
  std::vector<OneElectronMatrices> result(basis.symmetries.size());
  const std::optional<NuclearAttraction> closed = nucleus.attraction();
  for (std::size_t i = 0; i < result.size(); ++i) {
    const SymmetryBasis& block = basis.symmetries[i];
    const std::vector<Primitive> f = primitivesOf(block);
    OverlapBlocks overlap = overlapBetween(block, block);
    result[i].overlapLarge = std::move(overlap.large);
    result[i].overlapSmall = std::move(overlap.small);
    result[i].balance = balanceOf(block);
    if (closed) fillNuclear({nucleus.charge, *closed}, f, block.symmetry.l(), result[i]);
  }
  if (!closed) {
    const auto blocks = potentialMatrices(
        basis, [&](double r) { return nucleus.potential(r); }, kNuclearSpacing);
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i].nuclearLarge = blocks[i].LL;
      result[i].nuclearSmall = blocks[i].SS;
    }
  }
  return result;
}

std::vector<BlockMatrix> radialMomentMatrices(const BasisSet& basis, int power) {
  std::vector<BlockMatrix> blocks(basis.symmetries.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const int n = basis.symmetries[i].size(), l = basis.symmetries[i].symmetry.l();
    const std::vector<Primitive> f = primitivesOf(basis.symmetries[i]);
    blocks[i].LL.resize(n, n);
    blocks[i].SS.resize(n, n);
    for (int p = 0; p < n; ++p) {
      for (int q = 0; q < n; ++q) {
        blocks[i].LL(p, q) = distributionMoment(largePair(f[p], l, f[q], l), power);
        blocks[i].SS(p, q) = distributionMoment(smallPair(f[p], l, f[q], l), power);
      }
    }
  }
  return blocks;
}

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

double attractionBetween(const ClosedNucleus& nucleus, const Terms& f, const Terms& g, double zeta) {
  const int count = f.count + g.count - 1, power = f.power + g.power;
  std::array<double, 4> c{};
  for (int i = 0; i < f.count; ++i)
    for (int j = 0; j < g.count; ++j) c[i + j] += f.c[i] * g.c[j];
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += c[i] * radial::attraction(nucleus.attraction, power + 2 * i, zeta);
  return -nucleus.charge * sum;
}

void closedForms(const SymmetryBasis& basis, const ClosedNucleus& nucleus, ExponentDerivatives& d) {
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
  const RadialGrid grid = makeGrid({{basis}, ""}, kNuclearSpacing);
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
      // These are slopes of t^(l+3/2) and t^(l+5/2), t = 2 sqrt(a b)/(a + b).
      const double a = basis.exponents[p], b = basis.exponents[q];
      const double slope = 0.5 * (b - a) / (a + b);
      d.overlapLarge(p, q) *= (l + 1.5) * slope;
      d.overlapSmall(p, q) *= (l + 2.5) * slope;
    }
  }
  if (const auto closed = nucleus.attraction()) {
    closedForms(basis, {nucleus.charge, *closed}, d);
  } else {
    quadrature(basis, nucleus, d);
  }
  return d;
}

}  // namespace prophet
