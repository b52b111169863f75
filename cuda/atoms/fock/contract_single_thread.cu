#include "cuda/atoms/fock/pair_symmetry.cuh"

/// STSE: a single thread for the sums of one pair (Hennessey (2018), algorithm 8), two components of it: LL
/// and SS, which take the same densities and the same four super-matrices, or RS and SR. Densities come
/// through shared memory, a chunk of 128 pairs of one symmetry at a time; chunks of a closed symmetry, and
/// threads of one, do no open-shell work. A chunk's part up to the thread's own pair runs along a row of the
/// triangle, the rest down a column.
namespace prophet::cuda {
namespace {

constexpr int kChunk = 128;

struct Densities {
  double2 total[kChunk], open[kChunk];
};

/// Four super-matrices that make two components: first = a d0 + b d1, second = c d0 + d d1; with exchanged
/// pairs b and c change places.
struct FourMatrices {
  const double *a, *b, *c, *d;
};

__device__ FourMatrices matricesOf(const SuperMatrixSlab& slab, int half) {
  if (half == 0) return {slab.matrix(0), slab.matrix(1), slab.matrix(2), slab.matrix(7)};
  return {slab.matrix(4), slab.matrix(3), slab.matrix(5), slab.matrix(6)};
}

struct TwoSums {
  double first = 0.0, second = 0.0;
  __device__ void add(double a, double b, double c, double d, const double2& density) {
    first += a * density.x + b * density.y;
    second += c * density.x + d * density.y;
  }
};

__device__ void loadChunk(const ContractionView& view, int half, int first, int count, bool open,
                          Densities& shared) {
  const int i = threadIdx.x;
  if (i >= count) return;
  const std::int64_t source = 2 * static_cast<std::int64_t>(first + i) + half;
  shared.total[i] = reinterpret_cast<const double2*>(view.totalDensity)[source];
  if (open) shared.open[i] = reinterpret_cast<const double2*>(view.openDensity)[source];
}

/// Elements (i, j), j from `begin` to `end`, all of them stored: j <= i.
template <bool kOpen>
__device__ void addRow(const FourMatrices& x, std::int64_t start, int begin, int end, const Densities& shared,
                       TwoSums& p, TwoSums& q) {
#pragma unroll 4
  for (int n = begin; n < end; ++n) {
    const std::int64_t t = start + n;
    const double a = x.a[t], b = x.b[t], c = x.c[t], d = x.d[t];
    p.add(a, b, c, d, shared.total[n]);
    if (kOpen) q.add(a, b, c, d, shared.open[n]);
  }
}

/// Elements (j, i) for j > i; the first of them at `t`, the next one a row further.
template <bool kOpen>
__device__ void addColumn(const FourMatrices& x, std::int64_t t, int first, int begin, int end,
                          const Densities& shared, TwoSums& p, TwoSums& q) {
#pragma unroll 4
  for (int n = begin; n < end; ++n) {
    const double a = x.a[t], b = x.b[t], c = x.c[t], d = x.d[t];
    p.add(a, c, b, d, shared.total[n]);
    if (kOpen) q.add(a, c, b, d, shared.open[n]);
    t += rowStart(first + n + 1) - rowStart(first + n);
  }
}

/// What pairs first .. first + count - 1, which are in shared memory, add to the sums of pair i.
template <bool kOpen>
__device__ void addChunk(const FourMatrices& x, const SuperMatrixSlab& slab, int firstRow, int endRow, int i,
                         int first, int count, const Densities& shared, TwoSums& p, TwoSums& q) {
  if (i >= firstRow && i < endRow) {
    addRow<kOpen>(x, slab.place(i, first), 0, min(count, i + 1 - first), shared, p, q);
  }
  const int begin = max(max(i + 1, firstRow) - first, 0), end = min(count, endRow - first);
  if (begin < end) {
    addColumn<kOpen>(x, slab.place(first + begin, i), first, begin, end, shared, p, q);
  }
}

__global__ void __launch_bounds__(kChunk)
    singleThreadKernel(ContractionView view, SuperMatrixSlab slab, int firstRow, int endRow) {
  __shared__ Densities shared;
  const int i = blockIdx.x * kChunk + threadIdx.x, half = blockIdx.y;
  const bool active = i < view.pairs;
  const FourMatrices x = matricesOf(slab, half);
  const int a = active ? symmetryOf(view, i) : 0;
  TwoSums p, q;
  for (int b = 0; b < view.symmetries; ++b) {
    const bool openB = view.open[b] != 0, open = openB && view.open[a] != 0;
    const int last = static_cast<int>(view.pairOffset[b + 1]);
    TwoSums reduced;
    for (int first = static_cast<int>(view.pairOffset[b]); first < last; first += kChunk) {
      const int count = min(last - first, kChunk);
      __syncthreads();
      loadChunk(view, half, first, count, openB, shared);
      __syncthreads();
      if (!active) continue;
      if (open) {
        addChunk<true>(x, slab, firstRow, endRow, i, first, count, shared, p, reduced);
      } else {
        addChunk<false>(x, slab, firstRow, endRow, i, first, count, shared, p, reduced);
      }
    }
    if (!open) continue;
    const double reduction = view.reduction[a * view.symmetries + b];
    q.first += reduction * reduced.first;
    q.second += reduction * reduced.second;
  }
  if (!active) return;
  const int target = kPairComponents * i + 2 * half;
  view.p[target] += p.first;
  view.p[target + 1] += p.second;
  if (!view.open[a]) return;
  view.q[target] += q.first;
  view.q[target + 1] += q.second;
}

}  // namespace

void contractSingleThread(const ContractionView& view, const SuperMatrixSlab& slab, std::int64_t firstRow,
                          std::int64_t endRow, cudaStream_t stream) {
  const dim3 grid((view.pairs + kChunk - 1) / kChunk, 2);
  singleThreadKernel<<<grid, kChunk, 0, stream>>>(view, slab, static_cast<int>(firstRow),
                                                  static_cast<int>(endRow));
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
