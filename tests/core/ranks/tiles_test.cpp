#include "core/ranks/for_many.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <map>
#include <thread>

#include "core/common/error.hpp"
#include "thread_ranks.hpp"

namespace prophet {
namespace {

std::string contentOf(int tile) {
  return std::string(static_cast<std::size_t>(tile % 7), '\0') + std::to_string(tile);
}

TEST(Tiles, ComeBackOnceFromAnyNumberOfRanks) {
  for (const int size : {1, 2, 5}) {
    test::ThreadRanks ranks(size);
    std::map<int, std::string> kept;
    std::vector<int> tiles;
    for (int i = 3; i < 90; i += 2) tiles.push_back(i);
    std::atomic<int> computed{0};
    ranks.run([&](Ranks& one) {
      forMany(
          one, one.rank() == 0 ? tiles : std::vector<int>{}, 1,
          [&](int tile) {
            ++computed;
            return contentOf(tile);
          },
          [&](const FinishedWork& tile) { EXPECT_TRUE(kept.emplace(tile.number, tile.bytes).second); });
    });
    EXPECT_EQ(computed, static_cast<int>(tiles.size()));
    ASSERT_EQ(kept.size(), tiles.size());
    for (const int tile : tiles) EXPECT_EQ(kept.at(tile), contentOf(tile));
  }
}

TEST(ForMany, ComputesSeveralAtOnceAndTellsAFailure) {
  SingleRank alone;
  std::latch three(3);  // until three have begun
  std::atomic<int> begun{0}, now{0};
  std::map<int, std::string> kept;
  forMany(
      alone, {4, 9, 2, 7, 1}, 3,
      [&](int number) {
        EXPECT_LE(++now, 3);
        if (++begun <= 3) three.arrive_and_wait();
        --now;
        return contentOf(number);
      },
      [&](const FinishedWork& work) { EXPECT_TRUE(kept.emplace(work.number, work.bytes).second); });
  ASSERT_EQ(kept.size(), 5u);
  for (const auto& [number, bytes] : kept) EXPECT_EQ(bytes, contentOf(number));
  const auto failing = [](int) -> std::string { throw Error("no memory"); };
  for (const int atOnce : {1, 2})
    EXPECT_THROW(forMany(alone, {1, 2, 3}, atOnce, failing, [](const FinishedWork&) { ADD_FAILURE(); }),
                 Error);
}

TEST(Tiles, NoneAreNoWork) {
  test::ThreadRanks ranks(3);
  ranks.run([](Ranks& one) {
    forMany(
        one, {}, 1, [](int) { return std::string(); }, [](const FinishedWork&) { ADD_FAILURE(); });
  });
}

TEST(Tiles, AFailureElsewhereIsToldToTheFirst) {
  test::ThreadRanks ranks(2);
  std::atomic<bool> told{false};
  ranks.run([&](Ranks& one) {
    const auto compute = [&](int) -> std::string {
      if (one.rank() == 1) throw Error("no memory");
      while (!told) std::this_thread::yield();  // its own tile outlasts the other rank's failure
      return "";
    };
    try {
      forMany(one, {1, 2, 3}, 1, compute, [](const FinishedWork&) {});
    } catch (const Error& e) {
      if (one.rank() == 1) told = true;
      if (one.rank() == 0) {
        EXPECT_STREQ(e.what(), "rank 1: no memory");
      }
    }
  });
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace prophet
