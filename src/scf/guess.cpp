#include "scf/guess.hpp"

#include "integrals/potential_matrix.hpp"

namespace prophet {
namespace {

/// Grid of the screening potential, which is smooth at the nucleus and needs few digits.
constexpr double kGuessSpacing = 0.2, kGuessStart = 0.02;

}  // namespace

std::vector<BlockMatrix> guessScreening(const BasisSet& basis, double nuclearCharge, double electrons) {
  const RadialGrid grid = makeGrid(basis, kGuessSpacing, kGuessStart);
  std::vector<BlockMatrix> blocks;
  for (const SymmetryBasis& symmetry : basis.symmetries) {
    const auto screening = tabulatedScreening(nuclearCharge, electrons, symmetry.symmetry);
    const auto potential = [&](double r) {
      return screening ? screeningPotential(screening->rates.data(), screening->charges.data(), r)
                       : thomasFermiScreening(nuclearCharge, electrons, r);
    };
    blocks.push_back(std::move(potentialMatrices({{symmetry}, ""}, potential, grid).front()));
  }
  return blocks;
}

}  // namespace prophet
