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
      shareTiles(
          one, one.rank() == 0 ? tiles : std::vector<int>{},
          [&](int tile) {
            ++computed;
            return contentOf(tile);
          },
          [&](int tile, const std::string& bytes) { EXPECT_TRUE(kept.emplace(tile, bytes).second); });
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
  FunctionWorker worker(
      [&](int number) {
        EXPECT_LE(++now, 3);
        if (++begun <= 3) three.arrive_and_wait();
        --now;
        return contentOf(number);
      },
      3, true);
  std::map<int, std::string> kept;
  forMany(alone, {4, 9, 2, 7, 1}, worker, [&](const std::vector<FinishedWork>& list) {
    for (const FinishedWork& work : list) EXPECT_TRUE(kept.emplace(work.number, work.bytes).second);
  });
  ASSERT_EQ(kept.size(), 5u);
  for (const auto& [number, bytes] : kept) EXPECT_EQ(bytes, contentOf(number));
  FunctionWorker failing([](int) -> std::string { throw Error("no memory"); }, 2, true);
  EXPECT_THROW(forMany(alone, {1, 2, 3}, failing, [](const std::vector<FinishedWork>&) { ADD_FAILURE(); }),
               Error);
}

TEST(Tiles, NoneAreNoWork) {
  test::ThreadRanks ranks(3);
  ranks.run([](Ranks& one) {
    shareTiles(
        one, {}, [](int) { return std::string(); }, [](int, const std::string&) { ADD_FAILURE(); });
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
      shareTiles(one, {1, 2, 3}, compute, [](int, const std::string&) {});
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
