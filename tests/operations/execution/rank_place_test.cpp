#include "operations/execution/execution.hpp"

#include <gtest/gtest.h>

namespace prophet {
namespace {

RankPlace place(int local, int locals) {
  RankPlace place;
  place.local = local;
  place.locals = locals;
  return place;
}

TEST(RankPlaceTest, SharesTheProcessorsOfAMachine) {
  const std::vector<int> all = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(shareOfProcessors({all, all}, 0), 4);
  EXPECT_EQ(shareOfProcessors({all, all, all}, 1), 2);
  EXPECT_EQ(shareOfProcessors({{0, 1}, {2, 3, 4}}, 1), 3);  // bound by the launcher: its own already
  EXPECT_EQ(shareOfProcessors({{0}, {0}, {0}, {0}}, 2), 1);
}

TEST(RankPlaceTest, EveryGpuHasARankAndEveryRankAGpu) {
  EXPECT_EQ(shareOfDevices({0, 1, 2, 3}, place(2, 4)), std::vector<int>{2});
  EXPECT_EQ(shareOfDevices({0, 1}, place(3, 4)), std::vector<int>{1});
  EXPECT_EQ(shareOfDevices({0}, place(3, 4)), std::vector<int>{0});  // srun shows each rank its own
  EXPECT_EQ(shareOfDevices({4, 5, 6, 7, 8}, place(1, 2)), (std::vector<int>{5, 7}));
  EXPECT_EQ(shareOfDevices({1, 0}, place(0, 1)), (std::vector<int>{1, 0}));
  EXPECT_TRUE(shareOfDevices({}, place(0, 1)).empty());
}

TEST(RankPlaceTest, AProcessByItselfHasTheMachine) {
  SingleRank alone;
  const RankPlace here = placeOf(alone);
  EXPECT_EQ(here.locals, 1);
  EXPECT_EQ(here.machines, 1);
  EXPECT_GE(here.threads, 1);
  EXPECT_EQ(here.hint, "");
}

}  // namespace
}  // namespace prophet
