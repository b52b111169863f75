#include "atoms/integrals/radial_grid.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>

#include "atoms/integrals/primitives.hpp"
#include "core/common/error.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// Far more than the widest sensible basis needs (some thousand).
constexpr double kMostIntervals = 1e6;

/// exp(-150) = 7e-66 of its value at the nucleus is nothing for any integral. Beyond, products would soon be
/// denormal numbers, for each of which Intel's processors take some hundred cycles.
constexpr double kLastExponent = 150.0;

}  // namespace

Eigen::VectorXd RadialGrid::radii() const {
  Eigen::VectorXd r(points);
  for (int i = 0; i < points; ++i) r(i) = first * std::exp(i * h);
  return r;
}

RadialGrid makeGrid(const BasisSet& basis, double h, double start, double end) {
  requireSensibleExponents(basis);
  double smallest = std::numeric_limits<double>::infinity(), largest = 0.0;
  for (const SymmetryBasis& block : basis.symmetries) {
    for (const double zeta : block.exponents) {
      smallest = std::min(smallest, zeta);
      largest = std::max(largest, zeta);
    }
  }
  const double first = start / std::sqrt(largest), last = std::sqrt(end / smallest);
  const double intervals = std::ceil(std::log(last / first) / h);
  if (!(intervals >= 1.0 && intervals <= kMostIntervals))
    throw Error("no grid reaches over exponents from " + std::to_string(smallest) + " to " +
                std::to_string(largest) + "; correct the basis");
  return {first, h, static_cast<int>(intervals) + 1};
}

GridFunctions evaluateOnGrid(const SymmetryBasis& basis, const RadialGrid& grid) {
  const Eigen::ArrayXd r = grid.radii(), square = r.square();
  const Eigen::ArrayXd rPower = Eigen::pow(r, basis.symmetry.l()) * (r * grid.h).sqrt();
  GridFunctions f{Eigen::MatrixXd(grid.points, basis.size()), Eigen::MatrixXd(grid.points, basis.size())};
  for (int p = 0; p < basis.size(); ++p) {
    const Primitive g = makePrimitive(basis.symmetry, basis.exponents[p]);
    const Eigen::Index count = (g.zeta * square <= kLastExponent).count();  // radii ascend
    const auto inside = [&](const Eigen::ArrayXd& values) { return values.head(count); };
    const Eigen::ArrayXd common = inside(rPower) * (-g.zeta * inside(square)).exp();
    f.large.col(p).head(count) = g.norm * common * inside(r);
    f.small.col(p).head(count) = common * (g.small0 + g.small2 * inside(square));
    for (Eigen::MatrixXd* part : {&f.large, &f.small}) part->col(p).tail(grid.points - count).setZero();
  }
  return f;
}

GridFunctions evaluateDerivativesOnGrid(const SymmetryBasis& basis, const RadialGrid& grid) {
  const int l = basis.symmetry.l();
  const Eigen::ArrayXd r = grid.radii(), square = r.square();
  const Eigen::ArrayXd rPower = Eigen::pow(r, l) * (r * grid.h).sqrt();
  GridFunctions f{Eigen::MatrixXd(grid.points, basis.size()), Eigen::MatrixXd(grid.points, basis.size())};
  for (int p = 0; p < basis.size(); ++p) {
    const Primitive g = makePrimitive(basis.symmetry, basis.exponents[p]);
    const Eigen::ArrayXd falling = -g.zeta * square;
    const Eigen::ArrayXd common = rPower * falling.exp();
    // Normalisations go as zeta^((2l+3)/4); of the small component, small0 as zeta^((2l+1)/4).
    f.large.col(p) = g.norm * common * r * (0.25 * (2 * l + 3) + falling);
    f.small.col(p) = common * (g.small0 * (0.25 * (2 * l + 1) + falling) +
                               g.small2 * square * (0.25 * (2 * l + 5) + falling));
  }
  return f;
}

std::vector<BlockMatrix> potentialMatrices(const BasisSet& basis,
                                           const std::function<double(double)>& potential, double h) {
  return potentialMatrices(basis, potential, makeGrid(basis, h));
}

std::vector<BlockMatrix> potentialMatrices(const BasisSet& basis,
                                           const std::function<double(double)>& potential,
                                           const RadialGrid& grid) {
  const Eigen::VectorXd r = grid.radii();
  Eigen::VectorXd v(grid.points);
  for (int i = 0; i < grid.points; ++i) v(i) = potential(r(i));
  std::vector<BlockMatrix> blocks;
  for (const SymmetryBasis& symmetry : basis.symmetries) {
    const GridFunctions f = evaluateOnGrid(symmetry, grid);
    BlockMatrix b;
    b.LL = multiply(f.large.transpose(), false, v.asDiagonal() * f.large, false);
    b.SS = multiply(f.small.transpose(), false, v.asDiagonal() * f.small, false);
    blocks.push_back(std::move(b));
  }
  return blocks;
}

namespace {

double matrixElement(const ChargedShell& shell, const PairDistribution& d) {
  double sum = 0;
  for (int i = 0; i < d.count; ++i)
    sum += d.coefficient[i] * shellAttraction(shell.radius, d.power + 2 * i, d.zeta);
  return -shell.charge * sum;
}

}  // namespace

double shellAttraction(double radius, int n, double p) {
  const double x = p * radius * radius, inside = 0.5 * (n + 1), outside = 0.5 * n;
  return 0.5 * boost::math::tgamma_lower(inside, x) / std::pow(p, inside) / radius +
         0.5 * boost::math::tgamma(outside, x) / std::pow(p, outside);
}

std::vector<BlockMatrix> shellMatrices(const BasisSet& basis, const ChargedShell& shell) {
  std::vector<BlockMatrix> blocks(basis.symmetries.size());
  for (std::size_t a = 0; a < blocks.size(); ++a) {
    const SymmetryBasis& s = basis.symmetries[a];
    const int n = s.size(), l = s.symmetry.l();
    std::vector<Primitive> f;
    for (const double zeta : s.exponents) f.push_back(makePrimitive(s.symmetry, zeta));
    blocks[a].LL.resize(n, n);
    blocks[a].SS.resize(n, n);
    for (int p = 0; p < n; ++p) {
      for (int q = 0; q <= p; ++q) {
        blocks[a].LL(p, q) = blocks[a].LL(q, p) = matrixElement(shell, largePair(f[p], l, f[q], l));
        blocks[a].SS(p, q) = blocks[a].SS(q, p) = matrixElement(shell, smallPair(f[p], l, f[q], l));
      }
    }
  }
  return blocks;
}

}  // namespace prophet
