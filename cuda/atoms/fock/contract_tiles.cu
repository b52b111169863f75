#include "cuda/atoms/fock/pair_symmetry.cuh"

/// P and Q with every stored number read once, for (I,J) and for (J,I).
///
/// A block takes a tile of up to 64 rows and 256 columns, each of its four warps 64 columns (two for each
/// lane) and all rows. A lane keeps the sums over rows for its columns in registers; sums over columns are
/// taken for a group of rows together: their 32 partial sums (8 rows x 4 components, or 4 rows x 4 components
/// x {P, Q}) are transposed and reduced at once with 31 shuffles, which leaves one finished sum in every
/// lane. The eight loads of a row are 512 contiguous bytes each, on a multiple of 128 (rowStart), and are
/// issued a row ahead of their use. A tile leaves its sums in memory; a second kernel adds those of all
/// tiles, always in the same order.
namespace prophet::cuda {
namespace {

constexpr int kLanes = 32;
/// Columns of a lane, next to each other, and of a warp.
constexpr int kOwn = 2, kStrip = kOwn * kLanes;
constexpr int kWarps = kTileColumns / kStrip;
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
__device__ void addRow(const double (&x)[8], const Four& d, double* sums) {
  sums[0] += x[0] * d.ll + x[1] * d.ss;
  sums[1] += x[2] * d.ll + x[7] * d.ss;
  sums[2] += x[4] * d.rs + x[3] * d.sr;
  sums[3] += x[5] * d.rs + x[6] * d.sr;
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

/// One warp's columns. kDiagonal: some elements of the strip have J >= I.
template <bool kOpen, bool kDiagonal>
struct Strip {
  /// Sums of one row, and rows whose sums are reduced together: a finished one for each lane.
  static constexpr int kSums = kOpen ? 2 * kPairComponents : kPairComponents;
  static constexpr int kRows = kLanes / kSums;

  const ContractionView& view;
  const SuperMatrixSlab& slab;
  const RowBand& band;
  int lane, firstOwn;
  Four total[kOwn], open[kOwn], columnP[kOwn] = {}, columnQ[kOwn] = {};
  double2 next[8];  ///< of the row after the current one

  __device__ int column(int k) const { return min(firstOwn + k, view.pairs - 1); }
  __device__ bool inside(int k) const { return firstOwn + k < view.pairs; }

  __device__ Strip(const ContractionView& v, const SuperMatrixSlab& s, const RowBand& b, int firstColumn,
                   int myLane)
      : view(v), slab(s), band(b), lane(myLane), firstOwn(firstColumn + kOwn * myLane) {
#pragma unroll
    for (int k = 0; k < kOwn; ++k) {
      total[k] = scaled(loadFour(view.totalDensity, column(k)), inside(k) ? 1.0 : 0.0);
      if (!kOpen) continue;
      const int own = symmetryOf(view, column(k));
      const double factor =
          inside(k) && view.open[own] ? view.reduction[band.symmetry * view.symmetries + own] : 0.0;
      open[k] = factor == 0.0 ? Four{} : scaled(loadFour(view.openDensity, column(k)), factor);
    }
  }

  /// Elements (row, own columns) of the eight matrices; zero outside the tile, and above the diagonal zero or
  /// anything.
  __device__ void load(int row, double2 (&x)[8]) const {
    const bool stored = row < band.rowEnd && (!kDiagonal || firstOwn <= row);
    const double2* source = reinterpret_cast<const double2*>(slab.data + slab.place(row, firstOwn));
#pragma unroll
    for (int i = 0; i < 8; ++i) x[i] = stored ? __ldcs(source + i * (slab.stride / 2)) : double2{0.0, 0.0};
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
    double2 both[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) both[i] = next[i];
    load(group + kNext, next);
    const int safeRow = min(group + kOffset, band.rowEnd - 1);
    const Four d = loadFour(view.totalDensity, safeRow);
    const Four o = kOpen ? loadFour(view.openDensity, safeRow) : Four{};
#pragma unroll
    for (double& sum : sums) sum = 0.0;
#pragma unroll
    for (int k = 0; k < kOwn; ++k) {
      double x[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        x[i] = k == 0 ? both[i].x : both[i].y;
        if (kDiagonal) x[i] = firstOwn + k <= safeRow ? x[i] : 0.0;
      }
      addRow(x, total[k], sums);
      if (kOpen) addRow(x, open[k], sums + kPairComponents);
      if (kDiagonal) {
#pragma unroll
        for (int i = 0; i < 8; ++i) x[i] = firstOwn + k == safeRow ? 0.0 : x[i];
      }
      addColumn(x, d, columnP[k]);
      if (kOpen) addColumn(x, o, columnQ[k]);
    }
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
    load(firstRow, next);
    for (int group = firstRow; group < band.rowEnd; group += kRows) {
      double sums[kSums];
      rows<0, 1>(group, sums);
      const double sum = finishSum(sums, lane);
      const int entry = (group - band.row) * kSums + lane;
      if (entry < (band.rowEnd - band.row) * kSums) ownSums[entry] = sum;
    }
  }

  __device__ void storeColumns(const TilesView& tiles) const {
#pragma unroll
    for (int k = 0; k < kOwn; ++k) {
      if (!inside(k)) continue;
      storeFour(tiles.columnSums, band.columnSums + column(k), columnP[k]);
      if (!kOpen) continue;
      const double factor = view.reduction[symmetryOf(view, column(k)) * view.symmetries + band.symmetry];
      storeFour(tiles.openColumnSums, band.columnSums + column(k), scaled(columnQ[k], factor));
    }
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
  if (firstRow < band.rowEnd && firstColumn + kStrip <= firstRow) {
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
__global__ void __launch_bounds__(kWarps* kLanes, kOpen ? 2 : 3)
    tileKernel(ContractionView view, SuperMatrixSlab slab, TilesView tiles) {
  constexpr int kSums = Strip<kOpen, false>::kSums;
  __shared__ double shared[kWarps][kTileRows * kSums];
  const ContractionTile tile = (kOpen ? tiles.open : tiles.closed)[blockIdx.x];
  const RowBand band = tiles.bands[tile.band];
  const int warp = threadIdx.x / kLanes;
  runStrip<kOpen>(view, slab, tiles, band, tile.tile * kTileColumns + warp * kStrip, shared[warp]);
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
    if (tiles.bandRows[middle] <= row) {
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
__device__ double sumOfPair(const TilesView& tiles, int pair, int own, bool ofSlab) {
  constexpr int kAtOnce = kLanes / kPairComponents;
  const double* rowSums = kOpen ? tiles.openRowSums : tiles.rowSums;
  const double* columnSums = kOpen ? tiles.openColumnSums : tiles.columnSums;
  const int lane = threadIdx.x % kLanes, component = lane % kPairComponents, first = lane / kPairComponents;
  double sum = 0.0;
  if (ofSlab) {
    const RowBand& band = tiles.bands[own];
    const int count = band.tiles;
    const std::int64_t start = band.rowSums + static_cast<std::int64_t>(pair - band.row) * count;
#pragma unroll 4
    for (int t = first; t < count; t += kAtOnce) {
      if (!kOpen || tiles.openColumns[t]) sum += rowSums[kPairComponents * (start + t) + component];
    }
  }
#pragma unroll 8
  for (int b = own + first; b < tiles.bandCount; b += kAtOnce) {
    if (kOpen && !tiles.bands[b].open) continue;
    const std::int64_t entry = static_cast<std::int64_t>(tiles.columnStarts[b]) + pair;
    sum += columnSums[kPairComponents * entry + component];
  }
  return sumOfComponent(sum);
}

__global__ void __launch_bounds__(kSumThreads)
    sumKernel(ContractionView view, TilesView tiles, int firstRow, int endRow) {
  const int pair = (blockIdx.x * kSumThreads + threadIdx.x) / kLanes, lane = threadIdx.x % kLanes;
  if (pair >= endRow) return;
  const bool ofSlab = pair >= firstRow;
  const int own = ofSlab ? bandOf(tiles, pair) : 0;
  const double p = sumOfPair<false>(tiles, pair, own, ofSlab);
  if (lane < kPairComponents) view.p[kPairComponents * pair + lane] += p;
  if (tiles.openCount == 0 || !view.open[symmetryOf(view, pair)]) return;
  const double q = sumOfPair<true>(tiles, pair, own, ofSlab);
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
  sumKernel<<<(end + pairsOfBlock - 1) / pairsOfBlock, kSumThreads, 0, stream>>>(
      view, tiles, static_cast<int>(firstRow), end);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
