#include "atoms/correlation/partial_waves.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace prophet {
namespace {

// The sum of (L + 1/2)^-4 over all L is 15 zeta(4) = pi^4/6, that of (L + 1/2)^-5 31 zeta(5), and of
// (L + 1/2)^-6 pi^6/15.
constexpr double kZeta5 = 1.0369277551433699;

std::vector<double> waves(double a, double b, double c) {
  std::vector<double> list;
  for (int l = 0; l < 8; ++l)
    list.push_back(a * std::pow(l + 0.5, -4) + b * std::pow(l + 0.5, -5) + c * std::pow(l + 0.5, -6));
  return list;
}

TEST(PartialWaves, ThatFollowThePowersAreSummedExactly) {
  const double expected = -2e-3 * std::pow(std::numbers::pi, 4) / 6 - 3e-4 * 31 * kZeta5;
  const WaveLimit limit = extrapolatedWaves(waves(-2e-3, -3e-4, 0));
  EXPECT_NEAR(limit.value, expected, 1e-12);
  EXPECT_LT(limit.error, 1e-12);
}

TEST(PartialWaves, ErrorIsThatOfAnotherPower) {
  const double expected =
      (-2e-3 / 6 - 3e-4 * std::pow(std::numbers::pi, 2) / 15) * std::pow(std::numbers::pi, 4);
  const WaveLimit limit = extrapolatedWaves(waves(-2e-3, 0, -3e-4));
  EXPECT_GT(limit.error, 1e-11);
  EXPECT_NEAR(std::abs(limit.value - expected), limit.error, 1e-12);
}

TEST(PartialWaves, FewOfThemAreNotExtrapolated) {
  const WaveLimit limit = extrapolatedWaves({-0.1, -0.05, -0.01});
  EXPECT_NEAR(limit.value, -0.16, 1e-15);
  EXPECT_NEAR(limit.error, 0.01, 1e-15);
}

}  // namespace
}  // namespace prophet
