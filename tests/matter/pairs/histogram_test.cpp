#include <gtest/gtest.h>

#include <cmath>

#include "alike.hpp"
#include "matter/pairs/pair_histogram.hpp"
#include "matter/structure/lattices.hpp"
#include "random_structure.hpp"
#include "tests/matter/pairs/references.hpp"

namespace prophet {
namespace {

using test::expectAlike;
using test::randomStructure;

HistogramRequest request(double width, int bins, bool doublePrecision, int threads = 1) {
  HistogramRequest r;
  r.width = width;
  r.bins = bins;
  r.doublePrecision = doublePrecision;
  r.threads = threads;
  return r;
}

TEST(PairHistogram, TwoAtoms) {
  Structure s;
  s.add(s.kindNumber("H"), {0, 0, 0});
  s.add(s.kindNumber("O"), {0, 3, 4});
  for (const auto& h :
       {referenceHistogram(s, request(0.3, 20, true)), pairHistogram(s, request(0.3, 20, true)),
        pairHistogram(s, request(0.3, 20, false))}) {
    EXPECT_EQ(h.total(), 1);
    EXPECT_EQ(h.counts[h.at(pairKind(0, 1, 2), 16)], 1u);
    EXPECT_NEAR(h.meanDistance(1, 16), 5, h.errorAt(5));
  }
}

TEST(PairHistogram, TheFastOneIsTheSimpleOne) {
  int seed = 1;
  for (const bool periodic : {false, true}) {
    for (const bool oblique : {false, true}) {
      for (const double range : {3.0, 8.0, 25.0}) {
        const Structure s = randomStructure(++seed, 300, 3, 10.0, periodic, oblique);
        const PairHistogram simple = referenceHistogram(s, request(range / 400, 400, true));
        expectAlike(simple, pairHistogram(s, request(range / 400, 400, true, 2)));
        expectAlike(simple, pairHistogram(s, request(range / 400, 400, false, 2)));
      }
    }
  }
}

TEST(PairHistogram, DoesNotDependOnThreadsOrParts) {
  const Structure s = randomStructure(5, 3000, 2, 30.0, false);
  const PairHistogram one = pairHistogram(s, request(0.01, 8000, false, 1));
  const PairHistogram three = pairHistogram(s, request(0.01, 8000, false, 3));
  EXPECT_EQ(one.counts, three.counts);
  EXPECT_EQ(one.offsets, three.offsets);
  EXPECT_EQ(one.total(), 3000.0 * 2999 / 2);
  PairHistogram sum;
  for (int part = 0; part < 3; ++part) {
    HistogramRequest r = request(0.01, 8000, false, 2);
    r.part = part;
    r.parts = 3;
    const PairHistogram h = pairHistogram(s, r);
    if (part == 0) {
      sum = h;
    } else {
      sum.add(h);
    }
  }
  EXPECT_EQ(sum.counts, one.counts);
}

TEST(PairHistogram, FlushesBeforeItsPackedBinsOverflow) {
  // 1.8e7 pairs of one distance almost: more than a packed bin holds.
  Structure s;
  const int a = s.kindNumber("Co"), b = s.kindNumber("O");
  for (int i = 0; i < 4300; ++i) s.add(a, {0, 0, 0});
  for (int i = 0; i < 4300; ++i) s.add(b, {1.2345, 0, 0});
  const PairHistogram h = pairHistogram(s, request(0.1, 20, false));
  EXPECT_EQ(h.counts[h.at(1, 12)], 4300u * 4300u);
  EXPECT_NEAR(h.meanDistance(1, 12), 1.2345, h.errorAt(1.2345));
  EXPECT_EQ(h.counts[h.at(0, 0)], 4300u * 4299u / 2);
}

TEST(PairHistogram, NeighboursOfFcc) {
  const Structure s = cutShape(namedLattice("fcc:Cu:4"), parseShape("cells:3,3,3"));
  const PairHistogram h = pairHistogram(s, request(0.01, 1200, false, 2));
  // Shells at a sqrt(n/2): 12, 6, 24, 12, 24, 8, 48, 6, 36, 24, and so on beyond half the box.
  const int shells[] = {12, 6, 24, 12, 24, 8, 48, 6, 36, 24, 24, 24, 72, 0, 48, 12, 48};
  for (int n = 1; n <= 17; ++n) {
    const int bin = static_cast<int>(4 * std::sqrt(n / 2.0) / 0.01);
    std::uint64_t pairs = 0;
    for (int k = std::max(0, bin - 1); k <= std::min(1199, bin + 1); ++k) pairs += h.counts[h.at(0, k)];
    EXPECT_EQ(pairs, s.size() * static_cast<std::size_t>(shells[n - 1]) / 2) << n;
  }
}

TEST(PairHistogram, RefusesWhatMakesNoSense) {
  const Structure s = randomStructure(1, 3, 1, 5, false);
  EXPECT_THROW(pairHistogram(s, request(0, 10, true)), Error);
  EXPECT_THROW(pairHistogram(s, request(0.1, 0, true)), Error);
  EXPECT_THROW(pairHistogram(s, request(0.1, 1 << 20, true)), Error);
  HistogramRequest r = request(0.1, 10, true);
  r.part = 1;
  EXPECT_THROW(pairHistogram(s, r), Error);
}

TEST(PairHistogram, LosesNoPairOfFarAtoms) {
  for (const double far : {1e5, 1e7, 1e9}) {
    for (const bool doublePrecision : {false, true}) {
      Structure s;
      s.add(s.kindNumber("H"), {0, 0, 0});
      s.add(s.kindNumber("H"), {2, 0, 0});
      s.add(s.kindNumber("H"), {far, 0, 0});
      EXPECT_EQ(pairHistogram(s, request(particleRange(s) / 300, 300, doublePrecision)).total(), 3) << far;
    }
  }
}

// Small cells with long ranges asked for all memory, or overflowed and found nothing.
TEST(PairHistogram, RefusesRangesOfTooManyImages) {
  Structure s;
  s.lattice = Eigen::Matrix3d(2 * Eigen::Matrix3d::Identity());
  s.add(s.kindNumber("H"), {0, 0, 0});
  s.add(s.kindNumber("H"), {1, 1, 1});
  for (const double range : {3000.0, 1e6, 1e9, 1e30})
    EXPECT_THROW(pairHistogram(s, request(range / 100, 100, false)), Error) << range;
}

}  // namespace
}  // namespace prophet
