#include "atoms/frozen/exponent_stencil.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "atoms/integrals/one_electron.hpp"

namespace prophet {
namespace {

constexpr int kPoints = ExponentNodes::kPoints;

TEST(ExponentStencil, KnowsWhereItHasNodesOnBothSides) {
  const ExponentNodes nodes{std::log(0.5), 0.1, 40};
  const auto at = [&](double place) { return std::exp(nodes.first + place * nodes.spacing); };
  EXPECT_TRUE(nodes.contains(at(7.01)));
  EXPECT_TRUE(nodes.contains(at(31.99)));
  EXPECT_FALSE(nodes.contains(at(6.99)));
  EXPECT_FALSE(nodes.contains(at(32.01)));
  for (const double zeta : std::initializer_list<double>{0.0, -1.0, NAN, HUGE_VAL})
    EXPECT_FALSE(nodes.contains(zeta)) << zeta;
}

TEST(ExponentStencil, WeightsAreExactForPolynomialsAndAtNodes) {
  const ExponentNodes nodes{-3.0, 0.1, 60};
  std::array<double, kPoints> weights;
  for (const double place : {7.3, 20.0, 33.999, 51.5}) {
    const int start = nodes.stencil(std::exp(nodes.first + place * nodes.spacing), weights.data());
    EXPECT_GE(start, 0);
    EXPECT_LE(start + kPoints, nodes.count);
    for (int power = 0; power < kPoints; power += 5) {
      double sum = 0.0;
      for (int j = 0; j < kPoints; ++j)
        sum += weights[static_cast<std::size_t>(j)] * std::pow((start + j - 30) / 30.0, power);
      EXPECT_NEAR(sum, std::pow((place - 30) / 30.0, power), 1e-13) << place << " " << power;
    }
  }
}

TEST(ExponentStencil, OverlapsOfGaussiansAreInterpolatedToRounding) {
  const ExponentNodes nodes{std::log(1e-2), 0.1, 140};
  const auto exponents = [&] {
    std::vector<double> list;
    for (int k = 0; k < nodes.count; ++k) list.push_back(std::exp(nodes.first + k * nodes.spacing));
    return list;
  }();
  std::array<double, kPoints> weights;
  for (int kappa : {-1, 1, -2, 2, -3, 3, -4}) {
    const SymmetryBasis all{Symmetry{kappa}, exponents};
    const double tolerance = Symmetry{kappa}.l() < 2 ? 2e-14 : 2e-13;
    for (const double a : {0.3, 1.7, 55.5}) {
      const OverlapBlocks row = overlapBetween({Symmetry{kappa}, {a}}, all);
      for (const double b : {0.31, 2.5, 120.0}) {
        const OverlapBlocks exact = overlapBetween({Symmetry{kappa}, {a}}, {Symmetry{kappa}, {b}});
        const int start = nodes.stencil(b, weights.data());
        const Eigen::Map<const Eigen::VectorXd> w(weights.data(), kPoints);
        EXPECT_NEAR(row.large.row(0).segment(start, kPoints).dot(w), exact.large(0, 0), tolerance) << kappa;
        EXPECT_NEAR(row.small.row(0).segment(start, kPoints).dot(w), exact.small(0, 0), tolerance) << kappa;
      }
    }
  }
}

}  // namespace
}  // namespace prophet
