#include "matter/pairs/power_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/common/error.hpp"
#include "matter/pairs/debye_sums.hpp"
#include "matter/pairs/pair_histogram.hpp"

namespace prophet {
namespace {

TEST(PowerLaw, IsFoundWhateverTheDensityOfPoints) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(0, 0.01);
  const Eigen::VectorXd equal = Eigen::VectorXd::LinSpaced(400, 0.01, 2);
  const Eigen::VectorXd equalLogarithms = equal.unaryExpr([](double x) { return std::exp(2.3 * x - 4.6); });
  for (const Eigen::VectorXd& x : {equal, equalLogarithms}) {
    Eigen::VectorXd y = 3 * x.array().pow(-2.2);
    const PowerLaw exact = powerLaw(x, y, 0.02, 1);
    EXPECT_NEAR(exact.exponent, -2.2, 1e-12);
    EXPECT_LT(exact.error, 1e-9);
    for (double& value : y) value *= std::exp(noise(random));
    const PowerLaw noisy = powerLaw(x, y, 0.02, 1);
    EXPECT_LT(std::abs(noisy.exponent + 2.2), 4 * noisy.error);
    EXPECT_LT(noisy.error, 0.005);
    EXPECT_GT(noisy.error, 1e-5);
  }
}

TEST(PowerLaw, RefusesWhatHasNoLogarithm) {
  const Eigen::Vector4d x(1, 2, 3, 4);
  EXPECT_THROW(powerLaw(x, Eigen::Vector4d(1, 0, 1, 1), 1, 4), Error);
  EXPECT_NO_THROW(powerLaw(x, Eigen::Vector4d(0, 1, 1, 1), 2, 4));
  EXPECT_THROW(powerLaw(x, x, 2, 3.5), Error);
  EXPECT_THROW(powerLaw(Eigen::Vector4d(1, 3, 2, 4), x, 1, 4), Error);
}

/// Atoms of a fractal: each is replaced by those of the motif, which has the places 0, 1, 2 along each edge.
Structure fractalOf(const std::vector<Eigen::Vector3d>& motif, int generations) {
  std::vector<Eigen::Vector3d> places{Eigen::Vector3d::Zero()};
  for (int g = 0; g < generations; ++g) {
    std::vector<Eigen::Vector3d> finer;
    for (const Eigen::Vector3d& p : places)
      for (const Eigen::Vector3d& m : motif) finer.push_back(3 * p + m);
    places = finer;
  }
  Structure s;
  const int kind = s.kindNumber("C");
  for (const Eigen::Vector3d& p : places) s.add(kind, p);
  return s;
}

/// The intensity of a self-similar fractal is a power law times a function with the period 3 in q: the mean
/// of slopes over two periods that begin everywhere in one of them is the dimension.
TEST(PowerLaw, FindsTheDimensionOfVicseksFractal) {
  std::vector<Eigen::Vector3d> cross;
  for (int i = 0; i < 27; ++i) {
    const Eigen::Vector3d place(i / 9, i / 3 % 3, i % 3);
    if ((place.array() == 1).count() >= 2) cross.push_back(place);
  }
  ASSERT_EQ(cross.size(), 7u);
  const Structure s = fractalOf(cross, 5);
  constexpr int kSteps = 24;  // in a period
  const double step = std::log(3) / kSteps;
  const Eigen::VectorXd q =
      Eigen::VectorXd::NullaryExpr(3 * kSteps, [&](Eigen::Index i) { return 0.05 * std::exp(i * step); });
  HistogramRequest r;
  r.width = 0.01;
  r.bins = static_cast<int>(largestDistance(s) / r.width) + 2;
  const PairHistogram h = pairHistogram(s, r);
  const Eigen::VectorXd intensity =
      (static_cast<double>(s.size()) + 2 * debyeTransform(h, q, 2).values.rowwise().sum().array()).matrix();
  double mean = 0;
  for (int i = 0; i < kSteps; i += 3)
    mean -= powerLaw(q, intensity, q(i), q(i + 2 * kSteps)).exponent / (kSteps / 3);
  EXPECT_NEAR(mean, std::log(7) / std::log(3), 0.02);
}

}  // namespace
}  // namespace prophet
