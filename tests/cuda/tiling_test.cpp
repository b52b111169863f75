#include "cuda/atoms/fock/tiling.hpp"

#include <gtest/gtest.h>

#include <set>

namespace prophet::cuda {
namespace {

/// Every element of the rows is in one tile, and tiles with open shells are those that hold any.
void expectCovered(const std::vector<int>& sizes, const std::vector<bool>& open, std::int64_t firstRow,
                   std::int64_t endRow) {
  const PairIndex index(sizes);
  const PairNumbering n = index.view();
  const Tiling tiling = makeTiling(n, open, firstRow, endRow);
  std::vector<int> times(static_cast<std::size_t>(triangle(endRow) - triangle(firstRow)), 0);
  std::set<int> rowSums;
  const auto cover = [&](const ContractionTile& tile, bool asOpen) {
    const RowBand& band = tiling.bands[tile.band];
    bool rowOpen = false, columnOpen = false;
    for (int row = band.row; row < band.rowEnd; ++row) {
      EXPECT_EQ(n.functions(row).symmetry, band.symmetry);
      rowOpen = open[band.symmetry];
      EXPECT_TRUE(rowSums.insert(band.rowSums + (row - band.row) * band.tiles + tile.tile).second);
      for (int column = tile.tile * kTileColumns; column < (tile.tile + 1) * kTileColumns; ++column) {
        if (column < n.pairs()) columnOpen = columnOpen || open[n.functions(column).symmetry];
        if (column <= row) ++times[static_cast<std::size_t>(triangle(row) + column - triangle(firstRow))];
      }
    }
    EXPECT_EQ(asOpen, rowOpen && columnOpen);
  };
  for (const ContractionTile& tile : tiling.closed) cover(tile, false);
  for (const ContractionTile& tile : tiling.open) cover(tile, true);
  for (const int t : times) ASSERT_EQ(t, 1);
  EXPECT_EQ(static_cast<std::int64_t>(rowSums.size()), tiling.rowSums);
}

TEST(Tiling, CoversEveryElementOnce) {
  expectCovered({15, 12, 12, 8, 8}, {false, false, false, false, false}, 0, 348);
  expectCovered({24, 3, 0, 17}, {true, false, true, false}, 0, 459);
  expectCovered({1}, {true}, 0, 1);
}

TEST(Tiling, CoversASlabOfRows) {
  expectCovered({15, 12, 12, 8, 8}, {false, true, true, false, true}, 37, 151);
}

/// The largest tiles first, so that blocks end together.
TEST(Tiling, BeginsWithHighTilesAndEndsWithLowOnes) {
  const PairIndex index({45, 45, 45, 45, 45, 45, 45});
  const Tiling t = makeTiling(index.view(), std::vector<bool>(7, false), 0, index.pairs());
  const auto height = [&](const ContractionTile& tile) {
    return t.bands[tile.band].rowEnd - t.bands[tile.band].row;
  };
  EXPECT_EQ(height(t.closed.front()), kTileRows);
  EXPECT_LE(height(t.closed.back()), kSmallestTileRows);
}

}  // namespace
}  // namespace prophet::cuda
