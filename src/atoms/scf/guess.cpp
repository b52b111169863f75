#include "atoms/scf/guess.hpp"

#include "atoms/integrals/potential_matrix.hpp"

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

}  // namespace prophet
