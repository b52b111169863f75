#include "atoms/default_basis/exponent_rule.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "default_case.hpp"

namespace prophet {
namespace {

constexpr double kRuleC = constants::kSpeedOfLight;

std::vector<double> exponents(Symmetry symmetry, const Nucleus& nucleus, double outermost) {
  const double z = nucleus.charge;
  return fittedExponents({symmetry, 0.5 * z * z, outermost, 2.0, 2.0}, nucleus, kRuleC, {1e-7 * z * z, 1.7});
}

TEST(ExponentRule, StepsGrowTowardsTheTightEndAndNeverShrink) {
  const auto ladder = exponents({-1}, test::nucleusOf(54, NuclearModel::Point), 0.5);
  ASSERT_GT(ladder.size(), 10u);
  double before = 1.0;
  for (std::size_t i = 1; i < ladder.size(); ++i) {
    const double ratio = ladder[i] / ladder[i - 1];
    EXPECT_GE(ratio, 1.7);
    EXPECT_GE(ratio, before);
    EXPECT_LT(ratio, 4.5);
    before = ratio;
  }
}

TEST(ExponentRule, DiffuseEndFollowsTheBindingEnergy) {
  const Nucleus neon = test::nucleusOf(10, NuclearModel::Gaussian);
  EXPECT_NEAR(exponents({-1}, neon, 0.02).front() / exponents({-1}, neon, 2.0).front(), 0.01, 0.01);
}

TEST(ExponentRule, OnlyPointNucleiNeedVeryTightFunctions) {
  const auto point = exponents({-1}, test::nucleusOf(118, NuclearModel::Point), 1.0);
  const auto cloud = exponents({-1}, test::nucleusOf(118, NuclearModel::Gaussian), 1.0);
  EXPECT_GT(point.back(), 1e16);
  EXPECT_LT(cloud.back(), 1e10);
  const auto f = exponents({3}, test::nucleusOf(118, NuclearModel::Point), 1.0);
  EXPECT_LT(f.back(), 1e7);
}

/// The edge of a sphere needs functions closer together than a smooth charge does.
TEST(ExponentRule, ResolvesTheEdgeOfANucleus) {
  const auto sphere = exponents({-1}, test::nucleusOf(100, NuclearModel::Sphere), 1.0);
  const auto cloud = exponents({-1}, test::nucleusOf(100, NuclearModel::Gaussian), 1.0);
  const auto tight = [](double zeta) { return zeta > 1e7 && zeta < 1e9; };
  EXPECT_GT(std::count_if(sphere.begin(), sphere.end(), tight),
            std::count_if(cloud.begin(), cloud.end(), tight) + 3);
}

/// Small components of p- in a bare nucleus reach further than the spinor itself.
TEST(ExponentRule, AddsDiffuseFunctionsAgainstProlapse) {
  const Nucleus uranium = test::nucleusOf(92, NuclearModel::Gaussian);
  const ExponentRule rule{1e-5, 1.7};
  const auto minus = fittedExponents({{1}, 1000.0, 1000.0, 2.0, 2.0}, uranium, kRuleC, rule);
  const auto plus = fittedExponents({{-2}, 1000.0, 1000.0, 4.0, 4.0}, uranium, kRuleC, rule);
  EXPECT_LT(minus.front(), 0.05 * plus.front());
}

TEST(ExponentRule, RatioFallsWithTheErrorThatIsAllowed) {
  EXPECT_LT(evenTemperedRatio(1e-10, 50), evenTemperedRatio(1e-9, 50));
  EXPECT_LT(evenTemperedRatio(1e-9, 100), evenTemperedRatio(1e-9, 10));
  EXPECT_GT(evenTemperedRatio(1e-10, 118), 1.4);
}

}  // namespace
}  // namespace prophet
