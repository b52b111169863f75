#include "core/ranks/ranks.hpp"

#include <gtest/gtest.h>

#include "core/common/failure.hpp"
#include "thread_ranks.hpp"

namespace prophet {
namespace {

/// What every rank of three hears where those in `failing` have an error.
std::vector<std::string> heard(const std::vector<int>& failing) {
  std::vector<std::string> texts(3);
  test::ThreadRanks(3).run([&](Ranks& ranks) {
    try {
      together(ranks, [&] {
        for (const int rank : failing) {
          if (rank == ranks.rank())
            throw Error(failing.size() == 3 ? "no driver" : "no GPU " + std::to_string(rank));
        }
      });
    } catch (const SharedError& e) {
      texts[static_cast<std::size_t>(ranks.rank())] = std::to_string(e.status) + " " + e.what();
    }
  });
  return texts;
}

TEST(Agree, AllRanksGoOnTogether) { EXPECT_EQ(heard({}), std::vector<std::string>(3)); }

TEST(Agree, AllRanksThrowTheErrorOfTheFirst) {
  EXPECT_EQ(heard({0, 2}), std::vector<std::string>(3, "2 no GPU 0"));
  EXPECT_EQ(heard({1, 2}), std::vector<std::string>(3, "2 rank 1: no GPU 1"));
  EXPECT_EQ(heard({0, 1, 2}), std::vector<std::string>(3, "2 no driver"));
}

TEST(Agree, TheErrorDecidesTheStatus) {
  std::vector<int> statuses(2);
  test::ThreadRanks(2).run([&](Ranks& ranks) {
    try {
      together(ranks, [] { throw FailureError("the disk is full"); });
    } catch (const SharedError& e) {
      statuses[static_cast<std::size_t>(ranks.rank())] = e.status;
    }
  });
  EXPECT_EQ(statuses, std::vector<int>(2, kFailure));
}

TEST(Agree, ASingleRankKeepsItsOwnError) {
  class Special : public Error {
    using Error::Error;
  };
  SingleRank alone;
  EXPECT_THROW(together(alone, [] { throw Special("x"); }), Special);
}

TEST(Agree, TheFirstRankTellsTheOthers) {
  std::vector<std::string> texts(4);
  test::ThreadRanks(4).run([&](Ranks& ranks) {
    texts[static_cast<std::size_t>(ranks.rank())] = fromFirst(ranks, "from " + std::to_string(ranks.rank()));
  });
  EXPECT_EQ(texts, std::vector<std::string>(4, "from 0"));
}

}  // namespace
}  // namespace prophet
