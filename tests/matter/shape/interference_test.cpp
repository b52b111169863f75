#include "matter/shape/q_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>

#include "core/common/error.hpp"

namespace prophet {
namespace {

using Complex = std::complex<double>;

TEST(Interference, OfOneParticleIsOne) {
  EXPECT_EQ(interference({}, {0.1, 0.2, 0.3}), 1);
  EXPECT_NEAR(interference({{{50, 5, 1}}}, {0.1, 0.2, 0.3}), 1, 1e-14);
}

/// Against the sum over all particles of a finite lattice, at and near its peaks too.
TEST(Interference, OfALatticeIsItsSum) {
  const Arrangement a{{{50, 0, 7}, {80, 0, 5}}, 70, 20};
  const auto direction = [](double degrees, double length) -> Eigen::Vector3d {
    return Eigen::Vector3d(std::cos(degrees * std::acos(-1.0) / 180),
                           std::sin(degrees * std::acos(-1.0) / 180), 0) *
           length;
  };
  const Eigen::Vector3d first = direction(20, 50), second = direction(90, 80);
  for (const double x : {0.0, 1e-7, 2e-5, 0.01, 0.1257, 0.3}) {
    for (const double y : {0.0, 1e-6, 0.0785, 0.2}) {
      const Eigen::Vector3d q(x, y, 0.4);
      Complex sum = 0;
      for (int i = 0; i < 7; ++i) {
        for (int j = 0; j < 5; ++j) sum += std::polar(1.0, q.dot(i * first + j * second));
      }
      EXPECT_NEAR(interference(a, q), std::norm(sum) / 35, 1e-9) << x << " " << y;
    }
  }
}

/// Chains with steps drawn at random, averaged, scatter as the formula of the paracrystal says.
TEST(Interference, OfAParacrystalIsItsAverage) {
  const Arrangement a{{{50, 6, 12}}};
  std::mt19937 random(31);
  std::normal_distribution<double> step(50, 6);
  for (const double x : {0.03, 0.11, 0.126, 0.2}) {
    double mean = 0;
    constexpr int kSamples = 40000;
    for (int sample = 0; sample < kSamples; ++sample) {
      Complex sum = 0;
      double place = 0;
      for (int i = 0; i < 12; ++i, place += step(random)) sum += std::polar(1.0, x * place);
      mean += std::norm(sum) / 12 / kSamples;
    }
    EXPECT_NEAR(interference(a, {x, 0, 0.1}), mean, 0.03 * mean) << x;
  }
}

/// Hosemann's formula for ever so many particles: Re (1 + P)/(1 - P).
TEST(Interference, TendsToHosemannsLimit) {
  Arrangement a{{{50, 10, 1000000}}};
  a.radial = true;
  for (const double x : {0.02, 0.1, 0.13, 0.5}) {
    const Complex p = std::polar(std::exp(-50 * x * x), 50 * x);
    EXPECT_NEAR(interference(a, {0, x, 0}), ((1.0 + p) / (1.0 - p)).real(), 1e-4);
    EXPECT_NEAR(interference(a, {x, 0, 0}), interference(a, {0.6 * x, 0.8 * x, 1}), 1e-9);
  }
}

TEST(Interference, RefusesWhatCannotBe) {
  EXPECT_THROW(check(Arrangement{{{0, 0, 2}}}), Error);
  EXPECT_THROW(check(Arrangement{{{50, -1, 2}}}), Error);
  EXPECT_THROW(check(Arrangement{{{50, 0, 0}}}), Error);
  EXPECT_THROW(check(Arrangement{{{50, 0, 2}, {50, 0, 2}}, 180}), Error);
}

TEST(Arrangement, AnglesAreNumbers) {
  for (const double angle : {std::nan(""), HUGE_VAL, 1e300}) {
    Arrangement a{{{50, 0, 2}}};
    a.rotation = angle;
    EXPECT_THROW(check(a), Error);
  }
}

}  // namespace
}  // namespace prophet
