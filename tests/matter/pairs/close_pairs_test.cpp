#include "matter/pairs/debye_sums.hpp"

#include <gtest/gtest.h>

#include "matter/pairs/pair_engine.hpp"
#include "matter/structure/lattices.hpp"
#include "random_structure.hpp"
#include "tests/matter/pairs/references.hpp"

namespace prophet {
namespace {

using test::randomStructure;

DebyeRequest momenta(double largest, int count) {
  DebyeRequest r;
  r.q = Eigen::VectorXd::LinSpaced(count, 0, largest);
  return r;
}

TEST(ClosePairs, AreAllThatAreCloser) {
  for (const double range : {0.5, 3.0, 100.0}) {
    const Structure s = randomStructure(21, 400, 3, 12.0, true);  // the lattice does not count
    std::vector<double> found(6, 0.0), expected(6, 0.0);
    for (int part = 0; part < 2; ++part) {
      forClosePairs(s, range, part, 2, [&](int pair, const std::vector<double>& distances) {
        found[static_cast<std::size_t>(pair)] += static_cast<double>(distances.size());
        for (const double r : distances) ASSERT_LT(r, range);
      });
    }
    for (std::size_t i = 0; i < s.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        expected[static_cast<std::size_t>(pairKind(s.kind[i], s.kind[j], 3))] +=
            (s.positions[i] - s.positions[j]).norm() < range;
    }
    EXPECT_EQ(found, expected) << range;
  }
}

/// With all pairs in range they are the direct sum.
TEST(ClosePairs, OfTheWholeParticleAreItsDirectSum) {
  const Structure s = randomStructure(22, 300, 2, 15.0, false);
  const DebyeRequest r = momenta(20, 40);
  const auto engine = hostPairEngine(2);
  const ClosePairs close = engine->closePairs(s, 100, r);
  EXPECT_LT((close.values - referenceDebyeSums(s, r).values).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_EQ(close.counts.sum(), 300.0 * 299 / 2);
}

/// Crystal distances meet the end of the range exactly, where single precision puts some on its other side.
TEST(ClosePairs, ReplaceTheFirstBinsOfAHistogram) {
  const auto engine = hostPairEngine(2);
  const DebyeRequest momentaOf = momenta(20, 60);
  for (const Structure& s :
       {cutShape(namedLattice("CoO"), parseShape("sphere:30")), randomStructure(23, 900, 2, 25, false)}) {
    const Eigen::MatrixXd exact = referenceDebyeSums(s, momentaOf).values;
    HistogramRequest r;
    r.width = 0.0426;
    r.bins = static_cast<int>(largestDistance(s) / r.width) + 2;
    PairHistogram h = pairHistogram(s, r);
    const Eigen::MatrixXd before = debyeErrorBound(h, momentaOf.q);
    constexpr int kBins = 150;  // 6.39 angstrom, a distance of CoO
    Eigen::VectorXd taken = takeOut(h, kBins - 1);
    const Eigen::MatrixXd bound = debyeErrorBound(h, momentaOf.q);
    taken += takeOut(h, kBins);
    Eigen::MatrixXd sums = debyeTransform(h, momentaOf.q, 2).values;
    addClosePairs(engine->closePairs(s, kBins * r.width, momentaOf), taken, momentaOf.q, sums);
    EXPECT_LE(((sums - exact).cwiseAbs() - bound).maxCoeff(), 1e-9) << s.title;
    EXPECT_LT(bound.sum(), before.sum());
    EXPECT_LT((sums.row(0) - exact.row(0)).cwiseAbs().maxCoeff(), 1e-9);  // no pair lost or twice
  }
}

}  // namespace
}  // namespace prophet
