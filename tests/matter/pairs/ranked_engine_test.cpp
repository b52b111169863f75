#include "matter/pairs/pair_engine.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "broken_engine.hpp"
#include "core/common/failure.hpp"
#include "core/ranks/ranks.hpp"
#include "random_structure.hpp"
#include "tests/core/ranks/thread_ranks.hpp"

namespace prophet {
namespace {

using test::randomStructure;

HistogramRequest request() {
  HistogramRequest r;
  r.width = 0.01;
  r.bins = 3000;
  return r;
}

DebyeRequest momenta() {
  DebyeRequest r;
  r.q = Eigen::VectorXd::LinSpaced(30, 0, 12);
  return r;
}

TEST(RankedPairEngine, AddsUpToOneProcess) {
  const Structure s = randomStructure(31, 2000, 2, 20.0, false);
  const auto alone = hostPairEngine(1);
  const PairHistogram one = alone->histogram(s, request());
  const DebyeSums direct = alone->direct(s, momenta());
  const ClosePairs close = alone->closePairs(s, 4, momenta());
  for (const int size : {1, 2, 3}) {
    test::ThreadRanks(size).run([&](Ranks& ranks) {
      RankedPairEngine engine(hostPairEngine(1), ranks);
      const PairHistogram h = engine.histogram(s, request());
      const DebyeSums sums = engine.direct(s, momenta());
      const ClosePairs near = engine.closePairs(s, 4, momenta());
      const Eigen::MatrixXd transform = engine.transform(h, momenta().q).values;
      if (ranks.rank() > 0) {
        EXPECT_EQ(transform.norm(), 0);
        return;
      }
      EXPECT_EQ(h.counts, one.counts);
      EXPECT_EQ(h.offsets, one.offsets);
      EXPECT_EQ(h.visited, one.visited);
      EXPECT_EQ(h.errorAt(7), one.errorAt(7));
      EXPECT_LT((sums.values - direct.values).cwiseAbs().maxCoeff(), 1e-9);
      EXPECT_EQ(sums.terms, direct.terms);
      EXPECT_EQ(near.counts, close.counts);
      EXPECT_LT((near.values - close.values).cwiseAbs().maxCoeff(), 1e-10);
      EXPECT_EQ(engine.name(),
                size == 1 ? "CPU, 1 thread"
                          : std::to_string(size) + " ranks, " + std::to_string(size) + " x CPU, 1 thread");
    });
  }
}

TEST(RankedPairEngine, AnErrorOfOneIsThatOfAll) {
  const Structure s = randomStructure(32, 50, 1, 10.0, false);
  std::atomic<int> caught{0};
  test::ThreadRanks(3).run([&](Ranks& ranks) {
    std::unique_ptr<PairEngine> mine = hostPairEngine(1);
    if (ranks.rank() == 1) mine = std::make_unique<test::BrokenEngine>();
    RankedPairEngine engine(std::move(mine), ranks);
    EXPECT_EQ(engine.freeBins(), 0);
    try {
      engine.histogram(s, request());
    } catch (const SharedError& e) {
      EXPECT_EQ(std::string(e.what()), "rank 1: it broke");
      EXPECT_EQ(e.status, kFailure);
      ++caught;
    }
  });
  EXPECT_EQ(caught, 3);
}

}  // namespace
}  // namespace prophet
