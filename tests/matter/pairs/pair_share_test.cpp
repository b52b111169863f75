#include "matter/pairs/pair_histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "matter/pairs/debye_sums.hpp"
#include "random_structure.hpp"
#include "tests/matter/pairs/references.hpp"

namespace prophet {
namespace {

using test::randomStructure;

TEST(PairShare, HasEveryPairOnce) {
  for (const int parts : {1, 2, 3, 7, 16, 40, 700}) {
    const int blocks = PairShare(5000, 0, parts).blocks();
    std::vector<int> owners(static_cast<std::size_t>(blocks * blocks), 0),
        work(static_cast<std::size_t>(parts), 0);
    for (int part = 0; part < parts; ++part) {
      const PairShare share(5000, part, parts);
      EXPECT_EQ(share.blocks(), blocks);
      for (int a = 0; a < blocks; ++a) {
        for (int b = 0; b < blocks; ++b) {
          EXPECT_EQ(share.has(a, b), share.has(b, a));
          owners[static_cast<std::size_t>(a * blocks + b)] += share.has(a, b);
          work[static_cast<std::size_t>(part)] += share.has(a, b);
        }
      }
    }
    for (const int count : owners) EXPECT_EQ(count, 1) << parts;
    // Equally many pairs each, as long as there are two blocks for each part.
    if (parts <= 16) {
      EXPECT_EQ(*std::min_element(work.begin(), work.end()), *std::max_element(work.begin(), work.end()));
    }
    EXPECT_GT(*std::min_element(work.begin(), work.end()), 0) << parts;
  }
}

TEST(PairShare, ListsThePairsOfItsKindsOnce) {
  const Structure s = randomStructure(3, 101, 3, 10.0, false);
  const int kinds = 3;
  std::vector<double> pairs(static_cast<std::size_t>(pairKinds(kinds)), 0.0);
  for (int part = 0; part < 3; ++part) {
    const PairShare share(s.size(), part, 3);
    const Structure split = share.split(s);
    EXPECT_EQ(split.kinds.size(), static_cast<std::size_t>(kinds * share.blocks()));
    const auto counts = split.counts();
    for (const PairShare::Kinds& k : share.pairsOf(kinds)) {
      const double a = static_cast<double>(counts[static_cast<std::size_t>(k.a)]);
      const double b = static_cast<double>(counts[static_cast<std::size_t>(k.b)]);
      pairs[static_cast<std::size_t>(k.pair)] += k.a == k.b ? a * (a - 1) / 2 : a * b;
    }
  }
  const auto counts = s.counts();
  for (int a = 0; a < kinds; ++a) {
    for (int b = a; b < kinds; ++b) {
      const double x = static_cast<double>(counts[static_cast<std::size_t>(a)]);
      const double y = static_cast<double>(counts[static_cast<std::size_t>(b)]);
      EXPECT_EQ(pairs[static_cast<std::size_t>(pairKind(a, b, kinds))], a == b ? x * (x - 1) / 2 : x * y);
    }
  }
}

/// Whoever does a part: the simple and the fast histogram, mixed, in an oblique box beyond half of it.
TEST(PairShare, PartsOfDifferentEnginesMakeTheWhole) {
  const Structure s = randomStructure(41, 400, 2, 10.0, true, true);
  HistogramRequest r;
  r.width = 0.03;
  r.bins = 400;
  r.doublePrecision = true;
  const PairHistogram whole = pairHistogram(s, r);
  r.parts = 3;
  PairHistogram sum = pairHistogram(s, r);
  r.part = 1;
  sum.add(referenceHistogram(s, r));
  r.part = 2;
  sum.add(pairHistogram(s, r));
  EXPECT_EQ(sum.counts, whole.counts);
  EXPECT_GT(whole.total(), 0);
}

TEST(PairShare, RefusesWhatIsNoPart) {
  EXPECT_THROW(PairShare(10, 2, 2), Error);
  EXPECT_THROW(PairShare(10, 0, 0), Error);
}

}  // namespace
}  // namespace prophet
