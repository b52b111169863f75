#include "atoms/integrals/potential_matrix.hpp"

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

}  // namespace prophet
