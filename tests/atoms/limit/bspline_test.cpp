#include "atoms/limit/radial_basis.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace prophet::limit {
namespace {

const std::vector<double> kBreaks = {-1.0, -0.2, 0.3, 1.1, 1.5};

TEST(SplineSpace, CountsSplines) {
  const SplineSpace smooth(6, kBreaks, {1, 1, 1, 1, 1});
  EXPECT_EQ(smooth.size(), 4 + 5);
  const SplineSpace kinked(6, kBreaks, {1, 1, 3, 1, 1});
  EXPECT_EQ(kinked.size(), 4 + 5 + 2);
}

TEST(SplineSpace, SumsToOneAndSlopesSumToZero) {
  const SplineSpace space(7, kBreaks, {1, 1, 2, 1, 1});
  std::vector<double> values(7), slopes(7);
  for (double x = -0.99; x < 1.5; x += 0.07) {
    space.evaluate(space.cellOf(x), x, values.data(), slopes.data());
    double sum = 0, slope = 0;
    for (int i = 0; i < 7; ++i) sum += values[i], slope += slopes[i];
    EXPECT_NEAR(sum, 1, 1e-14);
    EXPECT_NEAR(slope, 0, 1e-12);
  }
}

// Value of spline `s` of a space at x; `derivative` its slope.
double splineAt(const SplineSpace& space, int s, double x, double* derivative = nullptr) {
  std::vector<double> values(space.order()), slopes(space.order());
  const int cell = space.cellOf(x), local = s - space.firstSpline(cell);
  if (derivative != nullptr) *derivative = 0;
  if (local < 0 || local >= space.order()) return 0;
  space.evaluate(cell, x, values.data(), slopes.data());
  if (derivative != nullptr) *derivative = slopes[local];
  return values[local];
}

TEST(SplineSpace, SlopesAreDerivatives) {
  const SplineSpace space(6, kBreaks, {1, 1, 1, 1, 1});
  const double step = 1e-5;
  for (int s = 0; s < space.size(); ++s) {
    for (double x : {-0.7, 0.1, 0.9, 1.4}) {
      double slope = 0;
      splineAt(space, s, x, &slope);
      const double difference = splineAt(space, s, x + step) - splineAt(space, s, x - step);
      EXPECT_NEAR(slope, difference / (2 * step), 1e-7);
    }
  }
}

TEST(SplineSpace, OnlyTheEndSplinesReachTheEnds) {
  const SplineSpace space(5, kBreaks, {1, 1, 1, 1, 1});
  for (int s = 0; s < space.size(); ++s) {
    EXPECT_NEAR(splineAt(space, s, kBreaks.front()), s == 0 ? 1 : 0, 1e-15);
    EXPECT_NEAR(splineAt(space, s, kBreaks.back()), s == space.size() - 1 ? 1 : 0, 1e-14);
  }
}

}  // namespace
}  // namespace prophet::limit
