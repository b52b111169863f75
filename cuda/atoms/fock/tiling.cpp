#include "cuda/atoms/fock/tiling.hpp"

#include <algorithm>

namespace prophet::cuda {
namespace {

/// Tiles that a large GPU works on at a time, and what share of them should be left when one is begun.
constexpr double kTilesAtOnce = 396, kTilesLeft = 0.5;

int symmetryOf(const PairNumbering& n, std::int64_t pair) {
  return static_cast<int>(
      lastNotAbove<std::int64_t>(pair, n.symmetries, PairNumbering::Offset{n.pairOffset}));
}

/// Rows of the band that ends below `rowEnd`, where `elements` are still to be done.
int rowsOfBand(double elements) {
  int rows = kTileRows;
  while (rows > kSmallestTileRows && rows * kTileColumns * kTilesAtOnce * kTilesLeft > elements) rows /= 2;
  return rows;
}

std::vector<int> openColumns(const PairNumbering& n, const std::vector<bool>& open) {
  std::vector<int> result(static_cast<std::size_t>((n.pairs() + kTileColumns - 1) / kTileColumns), 0);
  for (int a = 0; a < n.symmetries; ++a) {
    if (!open[a] || n.pairOffset[a] == n.pairOffset[a + 1]) continue;
    const std::int64_t last = (n.pairOffset[a + 1] - 1) / kTileColumns;
    for (std::int64_t t = n.pairOffset[a] / kTileColumns; t <= last; ++t) result[t] = 1;
  }
  return result;
}

}  // namespace

Tiling makeTiling(const PairNumbering& n, const std::vector<bool>& open, std::int64_t firstRow,
                  std::int64_t endRow) {
  Tiling t;
  t.openColumns = openColumns(n, open);
  for (std::int64_t end = endRow; end > firstRow;) {
    const int a = symmetryOf(n, end - 1);
    const int rows = rowsOfBand(static_cast<double>(triangle(end) - triangle(firstRow)));
    const std::int64_t row = std::max({end - rows, n.pairOffset[a], firstRow});
    const int tiles = static_cast<int>((end + kTileColumns - 1) / kTileColumns);
    t.bands.push_back({static_cast<int>(row), static_cast<int>(end), a, open[a], tiles,
                       static_cast<int>(t.rowSums), static_cast<int>(t.columnSums)});
    t.rowSums += (end - row) * tiles;
    t.columnSums += static_cast<std::int64_t>(tiles) * kTileColumns;
    end = row;
  }
  std::reverse(t.bands.begin(), t.bands.end());
  for (const RowBand& band : t.bands) {
    t.bandRows.push_back(band.row);
    t.columnStarts.push_back(band.columnSums);
  }
  for (int b = static_cast<int>(t.bands.size()) - 1; b >= 0; --b) {
    for (int tile = 0; tile < t.bands[b].tiles; ++tile) {
      (t.bands[b].open && t.openColumns[tile] ? t.open : t.closed).push_back({b, tile});
    }
  }
  return t;
}

}  // namespace prophet::cuda
