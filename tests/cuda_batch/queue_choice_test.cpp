#include "cuda/atoms/batch/queue_choice.hpp"

#include <gtest/gtest.h>

namespace prophet::cuda::batch {
namespace {

TEST(QueueChoice, TakesTheLongest) {
  EXPECT_EQ(nextQueue({{1, 0}}, 1, false), 0u);
  EXPECT_EQ(nextQueue({{3, 0}, {7, 4}, {5, 2}}, 5, false), 1u);
}

TEST(QueueChoice, TakesTheOldestAfterGivingWay) {
  EXPECT_EQ(nextQueue({{9, 5}, {7, 4}, {1, 2}}, 5, true), 2u);
  EXPECT_EQ(nextQueue({{9, 5}, {1, 2}, {7, 2}}, 5, true), 2u);  // equally old
  EXPECT_EQ(nextQueue({{9, 5}}, 5, true), 0u);
}

TEST(QueueChoice, TakesWhatWasPassedOverTooOften) {
  EXPECT_EQ(nextQueue({{9, 20}, {1, 10}}, 10 + kMostPassedOver, false), 0u);
  EXPECT_EQ(nextQueue({{9, 20}, {1, 10}}, 11 + kMostPassedOver, false), 1u);
}

/// Two queues that are longer whenever a worker looks, and a request that came once.
TEST(QueueChoice, EveryQueueGetsItsTurn) {
  for (const bool givesWay : {false, true}) {
    std::vector<WaitingQueue> queues = {{2, 0}, {2, 0}, {1, 0}};
    std::size_t now = 0, taken = 0;
    for (; taken != 2 && now < 10 * kMostPassedOver; queues[taken].since = now) {
      const bool gaveWay = givesWay && now > 0;
      ++now;
      if (gaveWay) queues[taken].since = now;
      taken = nextQueue(queues, now, gaveWay);
    }
    EXPECT_EQ(taken, 2u);
    EXPECT_LE(now, givesWay ? 3 : kMostPassedOver + 3);
  }
}

}  // namespace
}  // namespace prophet::cuda::batch
