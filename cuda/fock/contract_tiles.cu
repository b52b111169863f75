#include "cuda/fock/contraction_kernels.hpp"

/// P and Q with every stored number read once, for (I,J) and for (J,I).
///
/// A block takes a tile of up to 64 rows and 128 columns, each of its four warps 32 columns (one for each
/// lane) and all rows. A lane keeps the sums over rows for its column in registers; sums over columns are
/// taken for a group of rows together: their 32 partial sums (8 rows x 4 components, or 4 rows x 4 components
/// x {P, Q}) are transposed and reduced at once with 31 shuffles, which leaves one finished sum in every
/// lane. The eight loads of a row are 256 contiguous bytes each and are issued one row ahead of their use.
/// Per tile and warp: 64 x 8 loads, (64 + 32) x 4 additions to global memory.
namespace prophet::cuda {
namespace {

constexpr int kLanes = 32;
constexpr int kWarps = kTileColumns / kLanes;

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

__device__ void addFour(double* vectors, int pair, const Four& f) {
  double* target = vectors + kPairComponents * pair;
  atomicAdd(target, f.ll);
  atomicAdd(target + 1, f.ss);
  atomicAdd(target + 2, f.rs);
  atomicAdd(target + 3, f.sr);
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
  const ContractionTile& tile;
  int lane, column;
  bool inside;
  Four total, open, columnP, columnQ;
  double next[kAhead][8];

  __device__ Strip(const ContractionView& v, const SuperMatrixSlab& s, const ContractionTile& t,
                   int firstColumn, int myLane)
      : view(v), slab(s), tile(t), lane(myLane), columnP{}, columnQ{} {
    column = min(firstColumn + lane, tile.columnEnd - 1);
    inside = firstColumn + lane < tile.columnEnd;
    total = scaled(loadFour(view.totalDensity, column), inside ? 1.0 : 0.0);
    if (kOpen) open = scaled(loadFour(view.openDensity, column), inside ? 1.0 : 0.0);
  }

  /// Elements (row, column) of the eight matrices; zero outside the tile and above the diagonal.
  __device__ void load(int row, double (&x)[8]) const {
    const bool stored = row < tile.rowEnd && (!kDiagonal || column <= row);
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
    const int safeRow = min(group + kOffset, tile.rowEnd - 1);
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

  __device__ void run(int firstRow) {
    const double rowFactor = kOpen ? view.reduction[tile.a * view.symmetries + tile.b] : 0.0;
    const double columnFactor = kOpen ? view.reduction[tile.b * view.symmetries + tile.a] : 0.0;
    load(firstRow, next[0]);
    load(firstRow + successor(0), next[1]);
    for (int group = firstRow; group < tile.rowEnd; group += kRows) {
      double sums[kSums];
      rows<0, 1>(group, sums);
      const double sum = finishSum(sums, lane);
      const int row = group + lane / kSums, component = lane % kSums;
      if (row >= tile.rowEnd) continue;
      if (component >= kPairComponents) {
        atomicAdd(view.q + kPairComponents * row + component - kPairComponents, rowFactor * sum);
      } else {
        atomicAdd(view.p + kPairComponents * row + component, sum);
      }
    }
    if (!inside) return;
    addFour(view.p, column, columnP);
    if (kOpen) addFour(view.q, column, scaled(columnQ, columnFactor));
  }
};

template <bool kOpen>
__global__ void __launch_bounds__(kWarps* kLanes, kOpen ? 3 : 4)
    tileKernel(ContractionView view, SuperMatrixSlab slab, const ContractionTile* tiles) {
  const ContractionTile tile = tiles[blockIdx.x];
  const int lane = threadIdx.x % kLanes, firstColumn = tile.column + threadIdx.x / kLanes * kLanes;
  // Rows above the strip's first column have no elements in it.
  const int firstRow = max(tile.row, firstColumn);
  if (firstColumn >= tile.columnEnd || firstRow >= tile.rowEnd) return;
  if (firstColumn + kLanes > firstRow) {
    Strip<kOpen, true>(view, slab, tile, firstColumn, lane).run(firstRow);
  } else {
    Strip<kOpen, false>(view, slab, tile, firstColumn, lane).run(firstRow);
  }
}

}  // namespace

void contractTiles(const ContractionView& view, const SuperMatrixSlab& slab,
                   const DeviceBuffer<ContractionTile>& closed, const DeviceBuffer<ContractionTile>& open,
                   cudaStream_t stream) {
  constexpr int kThreads = kWarps * kLanes;
  if (open.size() > 0) {
    tileKernel<true><<<static_cast<int>(open.size()), kThreads, 0, stream>>>(view, slab, open.data());
    PROPHET_CUDA_CHECK_LAUNCH();
  }
  if (closed.size() > 0) {
    tileKernel<false><<<static_cast<int>(closed.size()), kThreads, 0, stream>>>(view, slab, closed.data());
    PROPHET_CUDA_CHECK_LAUNCH();
  }
}

}  // namespace prophet::cuda
