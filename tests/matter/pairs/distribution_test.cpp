#include <gtest/gtest.h>

#include <cmath>

#include "matter/pairs/debye_sums.hpp"
#include "matter/pairs/pair_distribution.hpp"
#include "matter/structure/lattices.hpp"
#include "matter/structure/structure.hpp"
#include "random_structure.hpp"
#include "tests/matter/pairs/references.hpp"

namespace prophet {
namespace {

PairAverage averageOf(const Structure& s, double range, int bins) {
  HistogramRequest r;
  r.width = range / bins;
  r.bins = bins;
  r.threads = 2;
  PairAverage average;
  average.add(pairHistogram(s, r), s.counts(), s.lattice ? cellVolume(*s.lattice) : 1000);
  return average;
}

TEST(PairDistribution, OfAnIdealGasIsOne) {
  const Structure s = idealGas("Ar", 20000, 50, 11);
  const PairAverage average = averageOf(s, 25, 50);
  const DistanceDistribution g = pairDistribution(average);
  for (int k = 4; k < 50; ++k) {
    const double pairs = average.orderedPairs(0, 0, k) / 2;
    EXPECT_NEAR(g.total(k), 1, 5 / std::sqrt(pairs)) << k;
  }
  EXPECT_LT(reducedDistribution(g, average.density()).tail(20).cwiseAbs().maxCoeff(), 2.0);
}

TEST(PairDistribution, CoordinationOfRocksalt) {
  const Structure s = cutShape(namedLattice("CoO"), parseShape("cells:4,4,4"));
  const DistanceDistribution g = pairDistribution(averageOf(s, 8, 800));
  // Around Co: 6 O at a/2, 12 Co at a/sqrt 2, 8 O at a sqrt(3)/2, 6 Co at a.
  const auto neighbours = [&](int a, int b, double r) {
    return g.neighbours(static_cast<int>(r * 100), a * 2 + b);
  };
  EXPECT_NEAR(neighbours(0, 1, 2.5), 6, 1e-12);
  EXPECT_NEAR(neighbours(1, 0, 2.5), 6, 1e-12);
  EXPECT_NEAR(neighbours(0, 0, 3.5), 12, 1e-12);
  EXPECT_NEAR(neighbours(0, 1, 4.0), 14, 1e-12);
  EXPECT_NEAR(neighbours(1, 1, 4.5), 18, 1e-12);
}

TEST(PairDistribution, WeightsMixThePartials) {
  const Structure s = test::randomStructure(4, 2000, 2, 25, true);
  const PairAverage average = averageOf(s, 10, 40);
  const DistanceDistribution even = pairDistribution(average),
                             weighted = pairDistribution(average, {27.0, 8.0});
  const auto counts = s.counts();
  const double a = static_cast<double>(counts[0]) / 2000, b = 1 - a, mean = a * 27 + b * 8;
  for (int k = 0; k < 40; ++k) {
    const auto g = even.partial.row(k);
    EXPECT_NEAR(even.total(k), a * a * g(0) + 2 * a * b * g(1) + b * b * g(2), 1e-12);
    EXPECT_NEAR(weighted.total(k),
                (a * a * 729 * g(0) + 2 * a * b * 216 * g(1) + b * b * 64 * g(2)) / (mean * mean), 1e-12);
  }
  // The same of both kinds taken as one.
  Structure one = s;
  one.kinds.resize(1);
  std::fill(one.kind.begin(), one.kind.end(), 0);
  EXPECT_LT((pairDistribution(averageOf(one, 10, 40)).total - even.total).cwiseAbs().maxCoeff(), 1e-9);
}

// Neutrons of gadolinium and oxygen: Re(b_a b_b*) of pairs, |<b>|^2 of the mean.
TEST(PairDistribution, WeightsMayBeComplex) {
  const Structure s = test::randomStructure(4, 300, 2, 12, true);
  const PairAverage average = averageOf(s, 5, 20);
  const std::complex<double> gd(6.5, -13.82), o(5.803, 0);
  const auto counts = s.counts();
  const double a = static_cast<double>(counts[0]) / 300, b = 1 - a;
  const double aa = a * a * (6.5 * 6.5 + 13.82 * 13.82), ab = 2 * a * b * 6.5 * 5.803,
               bb = b * b * 5.803 * 5.803;
  const double mean = std::pow(a * 6.5 + b * 5.803, 2) + std::pow(a * 13.82, 2);
  const DistanceDistribution g = pairDistribution(average, {gd, o});
  for (int k = 0; k < 20; ++k)
    EXPECT_NEAR(g.total(k), (aa * g.partial(k, 0) + ab * g.partial(k, 1) + bb * g.partial(k, 2)) / mean,
                1e-12);
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(3, 2, 4);
  Eigen::MatrixXcd weights(3, 2);
  weights << gd, o, gd, o, gd, o;
  const StructureFactor f = structureFactor(average, q, false, weights);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(f.total(k), (aa * f.partial(k, 0) + ab * f.partial(k, 1) + bb * f.partial(k, 2)) / mean,
                1e-12);
  EXPECT_THROW(pairDistribution(average, {0.0, 0.0}), Error);
}

TEST(PairAverage, FramesMustAgree) {
  PairAverage average = averageOf(idealGas("Ar", 100, 20, 1), 8, 10);
  HistogramRequest r;
  r.width = 0.8;
  r.bins = 10;
  const Structure more = idealGas("Ar", 101, 20, 1);
  EXPECT_THROW(average.add(pairHistogram(more, r), more.counts(), 8000), Error);
  const Structure other = idealGas("Ar", 100, 20, 2);
  average.add(pairHistogram(other, r), other.counts(), 8000);
  EXPECT_EQ(average.frames(), 2);
  EXPECT_NEAR(average.density(), 100 / 8000.0, 1e-15);
}

/// Hard spheres by random insertion: a liquid-like structure with a hole around each atom.
Structure hardSpheres(double edge, double diameter) {
  Structure s = idealGas("Ar", 3000, edge, 5);
  std::vector<Eigen::Vector3d> kept;
  for (const auto& p : s.positions) {
    bool free = true;
    for (const auto& o : kept) {
      Eigen::Vector3d d = p - o;
      d -= edge * (d / edge).array().round().matrix();
      free = free && d.norm() >= diameter;
    }
    if (free) kept.push_back(p);
  }
  s.positions = kept;
  s.kind.resize(kept.size());
  return s;
}

TEST(StructureFactor, FromPairsIsThatOfTheDirectSum) {
  const Structure s = hardSpheres(28, 3.0);
  const Eigen::VectorXd edges = Eigen::VectorXd::LinSpaced(9, 1, 5);
  const Eigen::VectorXd direct = reciprocalStructureFactor(s, edges, 2);
  const Eigen::VectorXd q = 0.5 * (edges.head(8) + edges.tail(8));
  for (const bool lorch : {false, true}) {
    const StructureFactor fromPairs = structureFactor(averageOf(s, 14, 3000), q, lorch);
    for (Eigen::Index k = 0; k < q.size(); ++k) {
      // A bin of the direct sum holds from about 300 waves on; of the end of the range a ripple is left.
      EXPECT_NEAR(fromPairs.total(k), direct(k), 0.12) << q(k);
      EXPECT_EQ(fromPairs.total(k), fromPairs.partial(k, 0));
    }
  }
  // They are correlated: not the 1 of a gas.
  EXPECT_LT(direct(0), 0.8);
}

TEST(StructureFactor, BeginsWithAWaveAndHasALeastValue) {
  Structure s = idealGas("Ar", 10, 20, 1);
  EXPECT_NEAR(firstMomentum(s, 8), 2 * M_PI / 8, 1e-15);
  EXPECT_NEAR(firstMomentum(s, 100), 2 * M_PI / 20, 1e-15);  // no wave is longer than the box
  s.lattice.reset();
  EXPECT_NEAR(firstMomentum(s, 100), 2 * M_PI / 100, 1e-15);
  // Where nothing is scattered, S is 1 - <w^2>/<w>^2.
  const Structure two = test::randomStructure(4, 200, 2, 25, true);
  const PairAverage average = averageOf(two, 10, 40);
  const double a = static_cast<double>(two.counts()[0]) / 200, mean = 27 * a + 8 * (1 - a);
  const Eigen::VectorXd q = Eigen::VectorXd::Ones(1);
  const Eigen::MatrixXd weights = Eigen::RowVector2d(27, 8);
  EXPECT_NEAR(leastFactor(average, q, weights)(0), 1 - (729 * a + 64 * (1 - a)) / (mean * mean), 1e-14);
  EXPECT_EQ(leastFactor(average, q, {})(0), 0);
}

TEST(StructureFactor, NeedsQAboveZero) {
  const PairAverage average = averageOf(idealGas("Ar", 10, 20, 1), 8, 10);
  EXPECT_THROW(structureFactor(average, Eigen::VectorXd::Zero(1), false), Error);
}

TEST(PairDistribution, RefusesRangesThatAreNone) {
  Structure s = idealGas("H", 1000, 20, 1);
  for (const double range : {0.0, -1.0, 1e-300, std::nan(""), 1e300, 1e6})
    EXPECT_THROW(requireRange(s, range), Error) << range;
  requireRange(s, 10);
  s.lattice.reset();
  requireRange(s, 1e6);
}

TEST(PairDistribution, TellsWhereADensityIsArbitrary) {
  Structure s;
  s.add(s.kindNumber("H"), {0, 0, 0});
  EXPECT_NE(densityWarning(s, 0), "");
  EXPECT_EQ(densityWarning(s, 0.1), "");
  s.add(0, {1, 1, 0});
  EXPECT_NE(densityWarning(s, 0), "");
  s.add(0, {1, 1, 1});
  EXPECT_EQ(densityWarning(s, 0), "");
}

}  // namespace
}  // namespace prophet
