#include "atoms/scf/guess.hpp"

#include <gtest/gtest.h>

namespace prophet {
namespace {

TEST(Guess, NoScreeningInsideAllButOneElectronOutside) {
  EXPECT_NEAR(1e-6 * thomasFermiScreening(80, 80, 1e-6), 0.0, 0.1);
  EXPECT_NEAR(1e3 * thomasFermiScreening(80, 80, 1e3), 79.0, 0.05);
  EXPECT_NEAR(1e3 * thomasFermiScreening(80, 70, 1e3), 69.0, 0.05);
}

TEST(Guess, OneElectronSeesTheBareNucleus) {
  for (const double r : {1e-5, 0.1, 3.0}) EXPECT_EQ(thomasFermiScreening(50, 1, r), 0.0);
}

}  // namespace
}  // namespace prophet
