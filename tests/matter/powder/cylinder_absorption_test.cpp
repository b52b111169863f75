#include "matter/powder/cylinder_absorption.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/common/error.hpp"

namespace prophet {
namespace {

/// The mean of f(half a chord) over the chords that are parallel to the beam, by the trapezoidal rule.
template <class Function>
double overChords(Function f) {
  constexpr int kPoints = 200000;
  double sum = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double t = (i + 0.5) * M_PI / kPoints;  // y = cos t
    sum += f(std::sin(t)) * std::sin(t) * M_PI / kPoints;
  }
  return sum;
}

/// Forward both paths are one chord; backward the integral along the chord is elementary.
TEST(CylinderAbsorption, ForwardAndBackward) {
  for (const double mu : {0.01, 0.3, 1.0, 2.5, 5.0}) {
    const CylinderAbsorption factor(mu);
    const double forward =
                     overChords([&](double half) { return 2 * half * std::exp(-2 * mu * half); }) / M_PI,
                 backward =
                     overChords([&](double half) { return (1 - std::exp(-4 * mu * half)) / (2 * mu); }) /
                     M_PI;
    EXPECT_NEAR(factor.at(1) / forward, 1, 1e-4) << mu;
    EXPECT_NEAR(factor.at(-1) / backward, 1, 1e-4) << mu;
  }
  EXPECT_EQ(CylinderAbsorption(0).at(0.3), 1);
  // To first order the paths count, which are 8/(3 pi) of the radius each.
  EXPECT_NEAR((1 - CylinderAbsorption(1e-5).at(0.2)) / 1e-5, 16 / (3 * M_PI), 1e-3);
}

/// Random points of the cross section, at angles between.
TEST(CylinderAbsorption, AgreesWithRandomPoints) {
  std::mt19937 random(51);
  const auto uniform = [&] { return 2 * ((random() + 0.5) / 4294967296.0) - 1; };
  for (const double mu : {0.7, 3.0}) {
    for (const double angle : {25.0, 73.0, 140.0}) {
      const double twoTheta = angle * M_PI / 180, c = std::cos(twoTheta), s = std::sin(twoTheta);
      double sum = 0, squares = 0;
      int points = 0;
      while (points < 200000) {
        const double x = uniform(), y = uniform();
        if (x * x + y * y > 1) continue;
        const double across = x * s - y * c, in = x + std::sqrt(1 - y * y),
                     out = std::sqrt(1 - across * across) - (x * c + y * s);
        const double value = std::exp(-mu * (in + out));
        sum += value;
        squares += value * value;
        ++points;
      }
      const double mean = sum / points, error = std::sqrt((squares / points - mean * mean) / points);
      EXPECT_NEAR(CylinderAbsorption(mu).at(c), mean, 4 * error) << mu << " " << angle;
    }
  }
}

TEST(CylinderAbsorption, SaysWhatIsWrong) {
  EXPECT_THROW(CylinderAbsorption(-0.1), Error);
  EXPECT_THROW(CylinderAbsorption(6), Error);
  EXPECT_THROW(CylinderAbsorption(std::nan("")), Error);
}

}  // namespace
}  // namespace prophet
