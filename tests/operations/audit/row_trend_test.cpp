#include "operations/audit/exponent_remarks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace prophet {
namespace {

TEST(RowTrend, MedianOfEvenOddAndNothing) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median({}), 0);
}

/// A line of Z is found exactly, whatever one neighbour says, and the value in question does not count.
TEST(RowTrend, FindsALineBesideOneWrongNeighbour) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-2, 2);
  for (int trial = 0; trial < 50; ++trial) {
    const double slope = uniform(random), offset = uniform(random);
    const int z = 71 + trial % 10, wrong = 71 + (trial * 7 + 3) % 10;
    std::vector<TrendPoint> points;
    for (int i = 71; i <= 80; ++i)
      points.push_back({i, offset + slope * i + (i == z || i == wrong ? 9.0 : 0.0)});
    const auto trend = trendAt(z, points);
    ASSERT_TRUE(trend);
    EXPECT_NEAR(trend->expected, offset + slope * z, 1e-9) << z << " " << wrong;
    EXPECT_NEAR(trend->scatter, 0, 1e-9);
  }
}

TEST(RowTrend, TooFewNeighboursGiveNone) {
  EXPECT_FALSE(trendAt(3, {{3, 1}, {4, 1}, {5, 1}, {6, 1}}));       // 2s has two elements
  EXPECT_FALSE(trendAt(5, {{5, 1}, {6, 1}, {7, 1}}));               // two others
  EXPECT_FALSE(trendAt(71, {{71, 1}, {76, 1}, {77, 1}, {78, 1}}));  // too far away
  EXPECT_TRUE(trendAt(5, {{5, 1}, {6, 1}, {7, 1}, {8, 1}}));
}

}  // namespace
}  // namespace prophet
