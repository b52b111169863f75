#include "cuda/matter/pairs/pair_units.hpp"

#include <gtest/gtest.h>

namespace prophet::cuda {
namespace {

TEST(PairUnits, OfATriangleAreAllOnce) {
  std::uint64_t u = 0;
  for (std::uint32_t row = 0; row < 300; ++row) {
    for (std::uint32_t column = 0; column <= row; ++column, ++u) {
      const ChunkPair c = triangleUnit(u);
      ASSERT_EQ(c.row, row) << u;
      ASSERT_EQ(c.column, column) << u;
    }
  }
  // Rows of 1e9 atoms.
  for (const std::uint64_t row : {std::uint64_t{7812499}, std::uint64_t{8000000}, std::uint64_t{94906265}}) {
    EXPECT_EQ(triangleUnit(row * (row + 1) / 2).row, row);
    EXPECT_EQ(triangleUnit(row * (row + 1) / 2 - 1).row, row - 1);
  }
}

}  // namespace
}  // namespace prophet::cuda
