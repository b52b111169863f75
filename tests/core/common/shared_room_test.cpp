#include "core/common/shared_room.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace prophet {
namespace {

TEST(SharedRoom, SharesAreNeverMoreThanThereIs) {
  SharedRoom room(10);
  std::atomic<int> taken = 0, most = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; ++i) {
        const int share = 1 + (7 * t + i) % 6;
        const auto held = room.take(share);
        const int now = taken += share;
        for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
        }
        taken -= share;
      }
    });
  threads.clear();
  EXPECT_LE(most, 10);
  EXPECT_GE(most, 6);
}

TEST(SharedRoom, WhoWantsMoreWaitsForAll) {
  SharedRoom room(10);
  auto first = room.take(4);
  auto copy = first;
  std::atomic<bool> isThere = false;
  std::jthread other([&] {
    const auto all = room.take(1e9);
    isThere = true;
  });
  first.reset();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(isThere);  // a copy holds the share
  copy.reset();
  other.join();
  EXPECT_TRUE(isThere);
}

}  // namespace
}  // namespace prophet
