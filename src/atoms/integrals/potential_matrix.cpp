#include "atoms/integrals/potential_matrix.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "atoms/integrals/primitives.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {

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
