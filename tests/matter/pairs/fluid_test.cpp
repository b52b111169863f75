#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "lennard_jones.hpp"
#include "matter/pairs/pair_distribution.hpp"
#include "tests/matter/pairs/references.hpp"

namespace prophet {
namespace {

constexpr int kCells = 5, kFrames = 6, kBins = 4000, kMomenta = 13;

/// Frames of a fluid with S(q) of both ways.
struct Fluid {
  PairAverage average;
  double range = 0;
  Eigen::VectorXd edges = Eigen::VectorXd::LinSpaced(kMomenta + 1, 0.8, 4.05);
  Eigen::VectorXd q = 0.5 * (edges.head(kMomenta) + edges.tail(kMomenta));
  Eigen::VectorXd direct = Eigen::VectorXd::Zero(kMomenta),
                  spread = direct;  ///< mean over frames, its standard error

  Fluid() {
    test::LennardJones simulation(kCells, 7);
    simulation.sweep(150);
    Eigen::VectorXd squares = direct;
    for (int frame = 0; frame < kFrames; ++frame) {
      simulation.sweep(12);
      const Structure s = simulation.structure();
      range = usualRange(s);
      HistogramRequest r;
      r.bins = kBins;
      r.width = range / kBins;
      average.add(pairHistogram(s, r), s.counts(), volumeOf(s, 0));
      const Eigen::VectorXd one = reciprocalStructureFactor(s, edges, 2);
      direct += one / kFrames;
      squares += one.cwiseAbs2() / kFrames;
    }
    spread = ((squares - direct.cwiseAbs2()).array().max(0) / (kFrames - 1)).sqrt();
  }
};

/// S(q) from pairs, averaged over the waves of the box as the direct sum does: in the flank of a peak their
/// lengths matter.
Eigen::VectorXd meanOverWaves(const Fluid& fluid) {
  const double step = M_PI / fluid.range;  // 2 pi over the edge
  const int largest = static_cast<int>(fluid.edges(kMomenta) / step);
  std::map<int, int> waves;  // by the square of their length in steps
  for (int a = -largest; a <= largest; ++a) {
    for (int b = -largest; b <= largest; ++b) {
      for (int c = -largest; c <= largest; ++c) ++waves[a * a + b * b + c * c];
    }
  }
  waves.erase(0);
  Eigen::VectorXd q(static_cast<Eigen::Index>(waves.size()));
  Eigen::Index i = 0;
  for (const auto& [square, number] : waves) q(i++) = step * std::sqrt(square);
  const Eigen::VectorXd s = structureFactor(fluid.average, q, false).total;
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(kMomenta), all = sum;
  i = 0;
  for (const auto& [square, number] : waves) {
    const auto bin = std::upper_bound(fluid.edges.begin(), fluid.edges.end(), q(i)) - fluid.edges.begin() - 1;
    if (bin >= 0 && bin < kMomenta) {
      sum(bin) += number * s(i);
      all(bin) += number;
    }
    ++i;
  }
  return sum.cwiseQuotient(all);
}

/// Both ways see the same atoms: they differ by the end of the distances at half the box and by the width of
/// the bins of q, and not by what distinguishes one configuration from the next.
TEST(LennardJonesFluid, StructureFactorFromPairsIsThatOfTheDirectSum) {
  const Fluid fluid;
  const DistanceDistribution g = pairDistribution(fluid.average);
  Eigen::Index highest = 0;
  const double peak = g.total.maxCoeff(&highest);
  // A dense fluid: first neighbours at 1.08 sigma, none closer than 0.8.
  EXPECT_NEAR(g.r(highest), 1.08 * 3.405, 0.08);
  EXPECT_GT(peak, 1.9);
  EXPECT_LT(peak, 3.0);
  EXPECT_EQ(g.total.head(static_cast<int>(0.8 * 3.405 / (fluid.range / kBins))).maxCoeff(), 0);

  const Eigen::VectorXd pairs = meanOverWaves(fluid);
  double chi = 0;
  for (Eigen::Index k = 0; k < fluid.q.size(); ++k) {
    const double mean = pairs(k);
    // At half the box g is 1 to 0.01 or so, which the transform takes for a step: 4 pi rho R 0.01/q^2.
    const double error = std::hypot(fluid.spread(k), 0.035 / (fluid.q(k) * fluid.q(k)));
    EXPECT_NEAR(mean, fluid.direct(k), 3 * error) << fluid.q(k);
    chi += std::pow((mean - fluid.direct(k)) / error, 2) / static_cast<double>(fluid.q.size());
  }
  EXPECT_LT(chi, 1);
  // It is a dense fluid, not a gas and not a crystal: little at small q, a broad first peak near 2 per
  // angstrom.
  EXPECT_LT(fluid.direct(0), 0.5);
  Eigen::Index first = 0;
  const double height = fluid.direct.maxCoeff(&first);
  EXPECT_NEAR(fluid.q(first), 2.0, 0.2);
  EXPECT_GT(height, 1.3);
  EXPECT_LT(height, 2.4);
}

}  // namespace
}  // namespace prophet
