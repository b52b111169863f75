#include "core/common/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace prophet {
namespace {

TEST(Permits, AsManyAtOnceAsThereAre) {
  Permits permits(3);
  std::atomic<int> now{0}, most{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 12; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) {
        const Permits::Hold hold(&permits);
        const int mine = ++now;
        for (int seen = most; seen < mine && !most.compare_exchange_weak(seen, mine);) {
        }
        std::this_thread::yield();
        --now;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(most, 3);
  EXPECT_GE(most, 1);
  EXPECT_EQ(now, 0);
}

TEST(Permits, NoneAreNeededWhereThereAreNone) { const Permits::Hold hold(nullptr); }

}  // namespace
}  // namespace prophet
