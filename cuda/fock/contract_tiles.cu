#include "cuda/fock/pair_symmetry.cuh"

/// P and Q with every stored number read once, for (I,J) and for (J,I).
///
/// A block takes a tile of up to 128 rows and 128 columns, each of its four warps 32 columns (one for each
/// lane) and all rows. A lane keeps the sums over rows for its column in registers; sums over columns are
/// taken for a group of rows together: their 32 partial sums (8 rows x 4 components, or 4 rows x 4 components
/// x {P, Q}) are transposed and reduced at once with 31 shuffles, which leaves one finished sum in every
/// lane. The eight loads of a row are 256 contiguous bytes each and are issued two rows ahead of their use.
/// A tile leaves its sums in memory (one number for 16 that it reads, at most); a second kernel adds those of
/// all tiles, always in the same order.
namespace prophet::cuda {
namespace {

constexpr int kLanes = 32;
constexpr int kWarps = kTileColumns / kLanes;
constexpr int kSumThreads = 128;

struct Four {
  double ll, ss, rs, sr;
};

__device__ Four loadFour(const double* vectors, int pair) {
  const double2* source = reinterpret_cast<const double2*>(vectors + kPairComponents * pair);
  const double2 first = source[0], second = source[1];
  return {first.x, first.y, second.x, second.y};
}

__device__ Four scaled(const Four& f, double factor) {
  return {f.ll * factor, f.ss * factor, f.rs * factor, f.sr * factor};
}

/// The row I of the contraction: sums over J of X(I,J) d(J).
__device__ void rowSums(const double (&x)[8], const Four& d, double* sums) {
  sums[0] = x[0] * d.ll + x[1] * d.ss;
  sums[1] = x[2] * d.ll + x[7] * d.ss;
  sums[2] = x[4] * d.rs + x[3] * d.sr;
  sums[3] = x[5] * d.rs + x[6] * d.sr;
}

/// The row J: sums over I of X(J,I) d(I); exchanging the pairs swaps x2 with x3 and x4 with x6.
__device__ void addColumn(const double (&x)[8], const Four& d, Four& sum) {
  sum.ll += x[0] * d.ll + x[2] * d.ss;
  sum.ss += x[1] * d.ll + x[7] * d.ss;
  sum.rs += x[4] * d.rs + x[5] * d.sr;
  sum.sr += x[3] * d.rs + x[6] * d.sr;
}

__device__ void storeFour(double* vectors, int entry, const Four& f) {
  double2* target = reinterpret_cast<double2*>(vectors + static_cast<std::int64_t>(kPairComponents) * entry);
  target[0] = {f.ll, f.ss};
  target[1] = {f.rs, f.sr};
}

/// One step of a transposed reduction: lanes with bit kBit keep and complete `b`, the others `a`; the result
/// replaces `a`.
template <int kBit, int kCount>
__device__ void mergeHalves(double (&a)[kCount], const double (&b)[kCount], int lane) {
  const bool upper = (lane & kBit) != 0;
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    const double sent = upper ? a[i] : b[i], kept = upper ? b[i] : a[i];
    a[i] = kept + __shfl_xor_sync(0xffffffffu, sent, kBit);
  }
}

/// Ends a transposed reduction: sum over the lanes that differ in the lowest bits of values[n], for lane n.
template <int kCount>
__device__ double finishSum(const double (&values)[kCount], int lane) {
  if constexpr (kCount == 1) {
    return values[0];
  } else {
    double a[kCount / 2], b[kCount / 2];
#pragma unroll
    for (int i = 0; i < kCount / 2; ++i) {
      a[i] = values[i];
      b[i] = values[i + kCount / 2];
    }
    mergeHalves<kCount / 2>(a, b, lane);
    return finishSum(a, lane);
  }
}

/// One warp's 32 columns. kDiagonal: some elements of the strip have J >= I.
template <bool kOpen, bool kDiagonal>
struct Strip {
  /// Sums of one row, and rows whose sums are reduced together: a finished one for each lane.
  static constexpr int kSums = kOpen ? 2 * kPairComponents : kPairComponents;
  static constexpr int kRows = kLanes / kSums;
  /// Rows that are loaded before they are needed.
  static constexpr int kAhead = 2;

  const ContractionView& view;
  const SuperMatrixSlab& slab;
  const RowBand& band;
  int lane, column;
  bool inside;
  Four total, open, columnP, columnQ;
  double next[kAhead][8];

  __device__ Strip(const ContractionView& v, const SuperMatrixSlab& s, const RowBand& b, int firstColumn,
                   int myLane)
      : view(v), slab(s), band(b), lane(myLane), columnP{}, columnQ{} {
    column = min(firstColumn + lane, view.pairs - 1);
    inside = firstColumn + lane < view.pairs;
    total = scaled(loadFour(view.totalDensity, column), inside ? 1.0 : 0.0);
    if (kOpen) {
      const int own = symmetryOf(view, column);
      const double factor = inside && view.open[own] ? view.reduction[band.symmetry * view.symmetries + own] : 0.0;
      open = factor == 0.0 ? Four{} : scaled(loadFour(view.openDensity, column), factor);
    }
  }

  /// Elements (row, column) of the eight matrices; zero outside the tile and above the diagonal.
  __device__ void load(int row, double (&x)[8]) const {
    const bool stored = row < band.rowEnd && (!kDiagonal || column <= row);
    const double* source = slab.data + (triangle(row) - slab.first) + column;
#pragma unroll
    for (int i = 0; i < 8; ++i) x[i] = stored ? __ldcs(source + i * slab.stride) : 0.0;
  }

  /// Rows of a group are taken in bit-reversed order, so that few unfinished sums wait for their partners.
  static constexpr int successor(int offset) {
    int bit = kRows / 2;
    for (; bit > 0 && (offset & bit); bit /= 2) offset -= bit;
    return bit > 0 ? offset + bit : kRows;
  }

  template <int kOffset>
  __device__ void row(int group, double (&sums)[kSums]) {
    constexpr int kNext = successor(kOffset);
    constexpr int kAfter = kNext == kRows ? kRows + successor(0) : successor(kNext);
    double x[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      x[i] = next[0][i];
      next[0][i] = next[1][i];
    }
    load(group + kAfter, next[1]);
    rowSums(x, total, sums);
    if (kOpen) rowSums(x, open, sums + kPairComponents);
    const int safeRow = min(group + kOffset, band.rowEnd - 1);
    if (kDiagonal) {
#pragma unroll
      for (int i = 0; i < 8; ++i) x[i] = column == safeRow ? 0.0 : x[i];
    }
    addColumn(x, loadFour(view.totalDensity, safeRow), columnP);
    if (kOpen) addColumn(x, loadFour(view.openDensity, safeRow), columnQ);
  }

  /// Rows kOffset, kOffset + kStep, ... of the group.
  template <int kOffset, int kStep>
  __device__ void rows(int group, double (&sums)[kSums]) {
    if constexpr (kStep == kRows) {
      row<kOffset>(group, sums);
    } else {
      rows<kOffset, 2 * kStep>(group, sums);
      double partner[kSums];
      rows<kOffset + kStep, 2 * kStep>(group, partner);
      mergeHalves<kSums * kStep>(sums, partner, lane);
    }
  }

  /// Sums over this strip's columns go to `rowSums`, kSums numbers for each row of the band.
  __device__ void run(int firstRow, double* ownSums) {
    load(firstRow, next[0]);
    load(firstRow + successor(0), next[1]);
    for (int group = firstRow; group < band.rowEnd; group += kRows) {
      double sums[kSums];
      rows<0, 1>(group, sums);
      const double sum = finishSum(sums, lane);
      const int entry = (group - band.row) * kSums + lane;
      if (entry < (band.rowEnd - band.row) * kSums) ownSums[entry] = sum;
    }
  }

  __device__ void storeColumns(const TilesView& tiles) const {
    if (!inside) return;
    storeFour(tiles.columnSums, band.columnSums + column, columnP);
    if (!kOpen) return;
    const double factor = view.reduction[symmetryOf(view, column) * view.symmetries + band.symmetry];
    storeFour(tiles.openColumnSums, band.columnSums + column, scaled(columnQ, factor));
  }
};

/// A strip whose first column is beyond all rows has no elements: its sums are zero.
template <bool kOpen>
__device__ void runStrip(const ContractionView& view, const SuperMatrixSlab& slab, const TilesView& tiles,
                         const RowBand& band, int firstColumn, double* ownSums) {
  constexpr int kSums = Strip<kOpen, false>::kSums;
  const int lane = threadIdx.x % kLanes, firstRow = max(band.row, firstColumn);
  const int empty = (min(firstRow, band.rowEnd) - band.row) * kSums;
  for (int i = lane; i < empty; i += kLanes) ownSums[i] = 0.0;
  if (firstRow < band.rowEnd && firstColumn + kLanes <= firstRow) {
    Strip<kOpen, false> strip(view, slab, band, firstColumn, lane);
    strip.run(firstRow, ownSums);
    strip.storeColumns(tiles);
  } else {
    Strip<kOpen, true> strip(view, slab, band, firstColumn, lane);
    if (firstRow < band.rowEnd) strip.run(firstRow, ownSums);
    strip.storeColumns(tiles);
  }
}

template <bool kOpen>
__global__ void __launch_bounds__(kWarps* kLanes, kOpen ? 3 : 4)
    tileKernel(ContractionView view, SuperMatrixSlab slab, TilesView tiles) {
  constexpr int kSums = Strip<kOpen, false>::kSums;
  __shared__ double shared[kWarps][kTileRows * kSums];
  const ContractionTile tile = (kOpen ? tiles.open : tiles.closed)[blockIdx.x];
  const RowBand band = tiles.bands[tile.band];
  const int warp = threadIdx.x / kLanes;
  runStrip<kOpen>(view, slab, tiles, band, tile.tile * kTileColumns + warp * kLanes, shared[warp]);
  __syncthreads();
  for (int i = threadIdx.x; i < (band.rowEnd - band.row) * kSums; i += kWarps * kLanes) {
    double sum = 0.0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) sum += shared[w][i];
    const int row = i / kSums, component = i % kSums;
    const std::int64_t entry = band.rowSums + row * band.tiles + tile.tile;
    double* target = component < kPairComponents ? tiles.rowSums : tiles.openRowSums;
    target[kPairComponents * entry + component % kPairComponents] = sum;
  }
}

/// Sum over the lanes of one component (lane % 4), for all of them.
__device__ double sumOfComponent(double value) {
#pragma unroll
  for (int step = kLanes / 2; step >= kPairComponents; step /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}

/// The band of a row of the slab; bands ascend.
__device__ int bandOf(const TilesView& tiles, int row) {
  int low = 0, high = tiles.bandCount;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (tiles.bands[middle].row <= row) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Adds up what tiles left for one pair: a warp for each, a lane for every eighth tile of one component.
/// kOpen: Q instead of P.
template <bool kOpen>
__device__ double sumOfPair(const TilesView& tiles, int pair, int firstRow, int endRow) {
  constexpr int kAtOnce = kLanes / kPairComponents;
  const double* rowSums = kOpen ? tiles.openRowSums : tiles.rowSums;
  const double* columnSums = kOpen ? tiles.openColumnSums : tiles.columnSums;
  const int lane = threadIdx.x % kLanes, component = lane % kPairComponents, first = lane / kPairComponents;
  double sum = 0.0;
  int own = 0;
  if (pair >= firstRow && pair < endRow) {
    own = bandOf(tiles, pair);
    const RowBand band = tiles.bands[own];
    const std::int64_t start = band.rowSums + (pair - band.row) * band.tiles;
#pragma unroll 4
    for (int t = first; t < band.tiles; t += kAtOnce) {
      if (!kOpen || tiles.openColumns[t]) sum += rowSums[kPairComponents * (start + t) + component];
    }
  }
#pragma unroll 4
  for (int b = own + first; b < tiles.bandCount; b += kAtOnce) {
    const RowBand& band = tiles.bands[b];
    if (!kOpen || band.open) sum += columnSums[kPairComponents * static_cast<std::int64_t>(band.columnSums + pair) + component];
  }
  return sumOfComponent(sum);
}

__global__ void __launch_bounds__(kSumThreads)
    sumKernel(ContractionView view, TilesView tiles, int firstRow, int endRow) {
  const int pair = (blockIdx.x * kSumThreads + threadIdx.x) / kLanes, lane = threadIdx.x % kLanes;
  if (pair >= endRow) return;
  const double p = sumOfPair<false>(tiles, pair, firstRow, endRow);
  if (lane < kPairComponents) view.p[kPairComponents * pair + lane] += p;
  if (tiles.openCount == 0 || !view.open[symmetryOf(view, pair)]) return;
  const double q = sumOfPair<true>(tiles, pair, firstRow, endRow);
  if (lane < kPairComponents) view.q[kPairComponents * pair + lane] += q;
}

}  // namespace

void contractTiles(const ContractionView& view, const SuperMatrixSlab& slab, const TilesView& tiles,
                   std::int64_t firstRow, std::int64_t endRow, cudaStream_t stream) {
  constexpr int kThreads = kWarps * kLanes;
  if (tiles.openCount > 0) {
    tileKernel<true><<<tiles.openCount, kThreads, 0, stream>>>(view, slab, tiles);
    PROPHET_CUDA_CHECK_LAUNCH();
  }
  if (tiles.closedCount > 0) {
    tileKernel<false><<<tiles.closedCount, kThreads, 0, stream>>>(view, slab, tiles);
    PROPHET_CUDA_CHECK_LAUNCH();
  }
  const int pairsOfBlock = kSumThreads / kLanes, end = static_cast<int>(endRow);
  sumKernel<<<(end + pairsOfBlock - 1) / pairsOfBlock, kSumThreads, 0, stream>>>(view, tiles, static_cast<int>(firstRow), end);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
