#pragma once
#include <cstdint>

#include "cuda/common/buffer.hpp"
#include "cuda/integrals/two_electron.hpp"

namespace prophet::cuda {

/// Vectors over pairs in device memory hold four numbers for each pair: LL, SS, RS, SR (see PairVectors).
inline constexpr int kPairComponents = 4;

/// A piece of the triangle that one block of the Stored kernel works on: rows (pairs I) of symmetry a,
/// columns (pairs J) of symmetry b.
struct ContractionTile {
  int row, rowEnd, column, columnEnd;
  int a, b;
};

/// What the kernels share, as plain pointers. `p` and `q` are added to.
struct ContractionView {
  const std::int64_t* pairOffset;
  int symmetries, pairs;
  const int* open;          ///< for each symmetry, whether it has an open spinor
  const double* reduction;  ///< symmetries x symmetries, row after row
  const double *totalDensity, *openDensity;
  double *p, *q;
};

/// The three kernels. `firstRow`, `endRow`: rows of the slab.
void contractSingleThread(const ContractionView& view, const SuperMatrixSlab& slab, std::int64_t firstRow,
                          std::int64_t endRow, cudaStream_t stream);
void contractMultiThread(const ContractionView& view, const SuperMatrixSlab& slab, std::int64_t firstRow,
                         std::int64_t endRow, cudaStream_t stream);
void contractTiles(const ContractionView& view, const SuperMatrixSlab& slab,
                   const DeviceBuffer<ContractionTile>& closed, const DeviceBuffer<ContractionTile>& open,
                   cudaStream_t stream);

/// Rows (at most and at least) and columns of the Stored kernel's tiles.
inline constexpr int kTileRows = 64, kSmallestTileRows = 8, kTileColumns = 128;

}  // namespace prophet::cuda
