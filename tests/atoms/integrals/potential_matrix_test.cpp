#include "atoms/integrals/radial_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace prophet {
namespace {

/// A harmonic potential between two s functions has the textbook value 3/(2(a+b)) <a|b>.
TEST(PotentialMatrix, HarmonicPotential) {
  BasisSet basis;
  basis.symmetries.push_back({Symmetry{-1}, {0.7, 2.0}});
  const auto blocks = potentialMatrices(
      basis, [](double r) { return r * r; }, 0.1);
  EXPECT_NEAR(blocks[0].LL(0, 0), 1.5 / 1.4, 1e-13);
  const double overlap = std::pow(2 * std::sqrt(1.4) / 2.7, 1.5);
  EXPECT_NEAR(blocks[0].LL(0, 1), 1.5 / 2.7 * overlap, 1e-13);
  EXPECT_EQ(blocks[0].LS.size(), 0);
}

}  // namespace
}  // namespace prophet
