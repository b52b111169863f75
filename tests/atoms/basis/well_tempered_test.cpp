#include "atoms/basis/well_tempered.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr WellTemperedParameters kRadon{0.05716, 1.749, 5.695, 1.486};

WellTemperedSpec spec() {
  WellTemperedSpec s;
  s.groups = {{0.1, 2.0, 2.0, 1.0}, {0.5, 3.0, 1.0, 0.0}};
  s.functions = {4, 3, 2};
  s.start = {1, 1, 2};
  s.group = {1, 1, 2};
  return s;
}

// By hand: M = 4, gamma = 1, delta = 2, zeta_k = 2 zeta_(k-1) (1 + (k/4)^2).
TEST(WellTempered, LadderByHand) {
  const auto zeta = wellTemperedExponents({0.1, 2.0, 2.0, 1.0}, 1, 4, 4);
  ASSERT_EQ(zeta.size(), 4u);
  EXPECT_DOUBLE_EQ(zeta[0], 0.1);
  EXPECT_DOUBLE_EQ(zeta[1], 0.25);
  EXPECT_DOUBLE_EQ(zeta[2], 0.78125);
  EXPECT_DOUBLE_EQ(zeta[3], 3.125);
}

// s+ of Rn in Table 2.1; the figures were summed independently with 40 digits.
TEST(WellTempered, RadonLadder) {
  const auto zeta = wellTemperedExponents(kRadon, 1, 32, 32);
  ASSERT_EQ(zeta.size(), 32u);
  EXPECT_DOUBLE_EQ(zeta[0], 0.05716);
  EXPECT_NEAR(zeta[1] / 0.099972860627069781, 1.0, 1e-14);
  EXPECT_NEAR(zeta[15] / 272.25981446181508, 1.0, 1e-14);
  EXPECT_NEAR(zeta[31] / 631325592.00795105, 1.0, 1e-14);
}

TEST(WellTempered, StartOnlyDropsTheFirstOnes) {
  const auto whole = wellTemperedExponents(kRadon, 1, 23, 23),
             part = wellTemperedExponents(kRadon, 3, 21, 23);
  ASSERT_EQ(part.size(), 21u);
  for (std::size_t i = 0; i < part.size(); ++i) EXPECT_EQ(part[i], whole[i + 2]);
}

// It is a recursion: the closed form alpha beta^(k-1) (1 + gamma (k/M)^delta) is another ladder.
TEST(WellTempered, IsNotTheClosedForm) {
  const auto zeta = wellTemperedExponents(kRadon, 1, 32, 32);
  const double closed = 0.05716 * std::pow(1.749, 31) * (1.0 + 1.486);
  EXPECT_GT(zeta.back() / closed, 2.0);
}

TEST(WellTempered, GammaZeroIsEvenTempered) {
  const auto zeta = wellTemperedExponents({0.2, 2.5, 3.0, 0.0}, 1, 10, 10);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_NEAR(zeta[k] / (0.2 * std::pow(2.5, k)), 1.0, 1e-14);
}

TEST(WellTempered, BasisTakesGroupsStartsAndLadders) {
  auto s = spec();
  const auto own = makeWellTempered(s);
  ASSERT_EQ(own.symmetries.size(), 3u);
  EXPECT_EQ(own.functions(), 9);
  EXPECT_EQ(own.largestL(), 1);
  EXPECT_EQ(own.symmetries[2].symmetry.kappa, -2);
  EXPECT_EQ(own.symmetries[0].exponents, wellTemperedExponents(s.groups[0], 1, 4, 4));
  EXPECT_EQ(own.symmetries[1].exponents, wellTemperedExponents(s.groups[0], 1, 3, 3));
  EXPECT_DOUBLE_EQ(own.symmetries[2].exponents[0], 1.5);
  EXPECT_DOUBLE_EQ(own.symmetries[2].exponents[1], 4.5);

  s.pool = LadderPool::Shared;  // of group 1 only: p- now climbs the ladder of s+
  const auto shared = makeWellTempered(s);
  EXPECT_EQ(shared.symmetries[0].exponents, own.symmetries[0].exponents);
  EXPECT_DOUBLE_EQ(shared.symmetries[1].exponents[2], 0.78125);
  EXPECT_NE(shared.symmetries[1].exponents, own.symmetries[1].exponents);
  EXPECT_EQ(shared.symmetries[2].exponents, own.symmetries[2].exponents);
}

TEST(WellTempered, BadSpecificationsAreErrors) {
  const std::function<void(WellTemperedSpec&)> faults[] = {
      [](auto& s) { s.groups[0].alpha = 0.0; },
      [](auto& s) { s.groups[0].alpha = std::nan(""); },
      [](auto& s) { s.groups[0].beta = 1.0; },
      [](auto& s) { s.groups[1].gamma = -0.1; },
      [](auto& s) { s.groups[1].delta = -1.0; },
      [](auto& s) { s.groups[0].beta = INFINITY; },
      [](auto& s) { s.functions[1] = 0; },
      [](auto& s) { s.start[1] = 0; },
      [](auto& s) { s.group[2] = 3; },
      [](auto& s) { s.group[2] = 0; },
      [](auto& s) { s.start.pop_back(); },
      [](auto& s) { s.group.push_back(1); },
      [](auto& s) { s.groups.clear(); },
      [](auto& s) { s.functions[0] = 2000; },  // 2^2000
      [](auto& s) { s = {}; },
  };
  EXPECT_NO_THROW(makeWellTempered(spec()));
  int number = 0;
  for (const auto& fault : faults) {
    auto s = spec();
    fault(s);
    EXPECT_THROW(makeWellTempered(s), Error) << "fault " << number;
    ++number;
  }
}

}  // namespace
}  // namespace prophet
