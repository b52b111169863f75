#include "common/thread_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace prophet {
namespace {

TEST(ThreadPool, EveryTaskOnceWhateverTheThreads) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    for (int round = 0; round < 200; ++round) {
      std::vector<std::atomic<int>> hits(37);
      std::atomic<bool> workerInRange{true};
      pool.forEach(37, [&](int i, int worker) {
        ++hits[i];
        if (worker < 0 || worker >= threads) workerInRange = false;
      });
      for (const auto& h : hits) ASSERT_EQ(h, 1);
      ASSERT_TRUE(workerInRange);
    }
  }
}

TEST(ThreadPool, ExceptionsReachTheCallerAndThePoolLivesOn) {
  ThreadPool pool(3);
  EXPECT_THROW(pool.forEach(10,
                            [](int i, int) {
                              if (i == 4) throw std::runtime_error("four");
                            }),
               std::runtime_error);
  std::atomic<int> sum{0};
  pool.forEach(10, [&](int i, int) { sum += i; });
  EXPECT_EQ(sum, 45);
}

}  // namespace
}  // namespace prophet
