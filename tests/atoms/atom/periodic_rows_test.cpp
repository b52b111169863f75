#include "atoms/atom/elements.hpp"

#include <gtest/gtest.h>

namespace prophet {
namespace {

TEST(PeriodicRows, RowsOfBlocks) {
  EXPECT_EQ(rowOfBlock(71), rowOfBlock(80));
  EXPECT_NE(rowOfBlock(80), rowOfBlock(81));
  EXPECT_EQ(rowOfBlock(57), rowOfBlock(70));
  EXPECT_EQ(rowOfBlock(113), rowOfBlock(118));
  EXPECT_NE(rowOfBlock(1), rowOfBlock(3));
}

/// Elements of each block: 14, 36, 40 and 28.
TEST(PeriodicRows, BlocksHoldTheirElements) {
  int count[4] = {};
  for (int z = 1; z <= 118; ++z) ++count[blockOf(z)];
  EXPECT_EQ(count[0], 14);
  EXPECT_EQ(count[1], 36);
  EXPECT_EQ(count[2], 40);
  EXPECT_EQ(count[3], 28);
  EXPECT_EQ(blockOf(2), 0);
  EXPECT_EQ(blockOf(57), 3);
  EXPECT_EQ(blockOf(71), 2);
}

}  // namespace
}  // namespace prophet
