#include "scf/guess.hpp"

#include <algorithm>
#include <cmath>

#include "integrals/potential_matrix.hpp"

namespace prophet {
namespace {

/// Grid of the screening potential, which is smooth at the nucleus and needs few digits.
constexpr double kGuessSpacing = 0.2, kGuessStart = 0.02;

}  // namespace

double thomasFermiScreening(double nuclearCharge, double electrons, double r) {
  const double x = r * std::cbrt(nuclearCharge) / 0.88534;
  const double root = std::sqrt(x);
  const double phi = 1.0 / (1.0 + 0.02747 * root + 1.243 * x - 0.1486 * x * root + 0.2302 * x * x +
                            0.007298 * x * x * root + 0.006944 * x * x * x);
  return std::max(0.0, electrons - 1.0) * (1.0 - phi) / r;
}

std::vector<BlockMatrix> guessScreening(const BasisSet& basis, double nuclearCharge, double electrons) {
  return potentialMatrices(
      basis, [&](double r) { return thomasFermiScreening(nuclearCharge, electrons, r); },
      makeGrid(basis, kGuessSpacing, kGuessStart));
}

}  // namespace prophet
