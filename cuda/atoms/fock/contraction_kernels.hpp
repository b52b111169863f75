#pragma once
#include <cstdint>

#include "cuda/atoms/integrals/two_electron.hpp"
#include "cuda/core/common/buffer.hpp"

namespace prophet::cuda {

/// Vectors over pairs in device memory hold four numbers for each pair: LL, SS, RS, SR (see PairVectors).
inline constexpr int kPairComponents = 4;

/// What the kernels share, as plain pointers. `p` and `q` are added to.
struct ContractionView {
  const std::int64_t* pairOffset;
  int symmetries, pairs;
  const int* open;          ///< for each symmetry, whether it has an open spinor
  const double* reduction;  ///< symmetries x symmetries, row after row
  const double *totalDensity, *openDensity;
  double *p, *q;
};

/// STSE and MTSE. `firstRow`, `endRow`: rows of the slab.
void contractSingleThread(const ContractionView& view, const SuperMatrixSlab& slab, std::int64_t firstRow,
                          std::int64_t endRow, cudaStream_t stream);
void contractMultiThread(const ContractionView& view, const SuperMatrixSlab& slab, std::int64_t firstRow,
                         std::int64_t endRow, cudaStream_t stream);

/// Rows (at most and at least) and columns of the Stored kernel's tiles.
inline constexpr int kTileRows = 64, kSmallestTileRows = 8, kTileColumns = 256;

/// Rows (pairs I) of one symmetry, cut into tiles of kTileColumns columns (pairs J), which may belong to
/// several symmetries. `open`: the symmetry has an open spinor. Where the sums of its tiles lie, in units of
/// kPairComponents numbers: those over columns, for row i and tile t, at rowSums + (i - row) * tiles + t,
/// those over rows, for column j, at columnSums + j.
struct RowBand {
  int row, rowEnd, symmetry, open;
  int tiles;
  int rowSums, columnSums;
};
/// A piece of the triangle that one block of the Stored kernel works on.
struct ContractionTile {
  int band, tile;
};

/// The tiles of a slab and where they leave their sums, as plain pointers.
struct TilesView {
  const RowBand* bands;
  const int *bandRows, *columnStarts;  ///< `row` and `columnSums` of each band
  int bandCount;
  const int* openColumns;  ///< for each tile of columns, whether one of its symmetries has an open spinor
  const ContractionTile *closed, *open;  ///< tiles without and with open shells in rows and columns
  int closedCount, openCount;
  double *rowSums, *columnSums, *openRowSums, *openColumnSums;
};
/// P and Q with every stored number read once: tiles leave sums, which are then added in a fixed order, so
/// that the result is the same bit for bit every time.
void contractTiles(const ContractionView& view, const SuperMatrixSlab& slab, const TilesView& tiles,
                   std::int64_t firstRow, std::int64_t endRow, cudaStream_t stream);

}  // namespace prophet::cuda
