#include "atoms/scf/guess.hpp"

#include <utility>

#include "atoms/integrals/one_electron.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "atoms/scf/scf.hpp"
#include "core/linalg/decompositions.hpp"

namespace prophet {
namespace {

/// Grid of the screening potential, which is smooth at the nucleus and needs few digits.
constexpr double kGuessSpacing = 0.2, kGuessStart = 0.02;

}  // namespace

RadialGrid guessGrid(const BasisSet& basis) { return makeGrid(basis, kGuessSpacing, kGuessStart); }

BlockMatrix guessScreening(const SymmetryBasis& symmetry, const RadialGrid& grid, double nuclearCharge,
                           double electrons) {
  const auto screening = tabulatedScreening(nuclearCharge, electrons, symmetry.symmetry);
  const auto potential = [&](double r) {
    return screening ? screeningPotential(screening->rates.data(), screening->charges.data(), r)
                     : thomasFermiScreening(nuclearCharge, electrons, r);
  };
  return std::move(potentialMatrices({{symmetry}, ""}, potential, grid).front());
}

std::vector<BlockMatrix> guessScreening(const BasisSet& basis, double nuclearCharge, double electrons) {
  const RadialGrid grid = guessGrid(basis);
  std::vector<BlockMatrix> blocks;
  for (const SymmetryBasis& symmetry : basis.symmetries)
    blocks.push_back(guessScreening(symmetry, grid, nuclearCharge, electrons));
  return blocks;
}

StartSpinors startSpinors(const BasisSet& basis, const ScfResult& result) {
  StartSpinors start{basis, {}, {}};
  for (const SymmetrySpinors& s : result.symmetries) {
    start.large.push_back(s.large);
    start.small.push_back(s.small);
  }
  return start;
}

Eigen::MatrixXd projectSpinors(const StartSpinors& start, int a, const SymmetryBasis& basis,
                               const SymmetrySpace& space) {
  constexpr double kLeastNorm = 0.5;
  const OverlapBlocks overlap = overlapBetween(basis, start.basis.symmetries[a]);
  Eigen::MatrixXd c(space.size(), start.large[a].cols());
  c.topRows(space.largeSize()) = space.large.x.transpose() * (overlap.large * start.large[a]);
  c.bottomRows(space.smallSize()) = space.small.x.transpose() * (overlap.small * start.small[a]);
  return choleskyOrthonormal(std::move(c), kLeastNorm);
}

}  // namespace prophet
