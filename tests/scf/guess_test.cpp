#include "scf/guess.hpp"

#include <gtest/gtest.h>

#include "atoms.hpp"

namespace prophet {
namespace {

TEST(Guess, NuclearChargeInsideIonicChargeOutside) {
  const Nucleus nucleus = testing::nucleusOf(80, NuclearModel::Point);
  EXPECT_NEAR(-1e-6 * screenedPotential(nucleus, 80, 1e-6), 80.0, 0.1);
  EXPECT_NEAR(-1e3 * screenedPotential(nucleus, 80, 1e3), 1.0, 0.05);
  EXPECT_NEAR(-1e3 * screenedPotential(nucleus, 70, 1e3), 11.0, 0.05);
}

TEST(Guess, OneElectronSeesTheBareNucleus) {
  const Nucleus nucleus = testing::nucleusOf(50, NuclearModel::Gaussian);
  for (const double r : {1e-5, 0.1, 3.0})
    EXPECT_DOUBLE_EQ(screenedPotential(nucleus, 1, r), nucleus.potential(r));
}

}  // namespace
}  // namespace prophet
