#include "cuda/atoms/batch/block_memory.hpp"
#include "cuda/atoms/batch/device_helpers.cuh"
#include "cuda/atoms/batch/kernels.hpp"
#include "cuda/atoms/batch/shared_memory.hpp"
#include "cuda/atoms/batch/tensor_product.cuh"
#include "cuda/core/common/check.hpp"

namespace prophet::cuda::batch {
namespace {

constexpr int kMostThreads = 320, kTile = 8, kMaxTiles = 5;
/// Registers for two blocks of six warps a multiprocessor: with fewer the sums spill, which costs more than a
/// third block brings.
constexpr int kThreadsForRegisters = 384;
/// Columns between those that are brought nearer and those that are multiplied.
constexpr int kAhead = 3 * kStrip;
/// Warps of projectLocal: the tiles of up to 32 functions.
constexpr int kLocalThreads = 4 * 32;
enum Block { kLL = 0, kSS = 1, kLS = 2 };

// Sums do not depend on the order of their terms, nor products on that of rows and columns: fragments are
// laid out so that a lane reads 16 bytes at a time and a warp whole lines. Tiles 2i and 2i + 1 share 16
// columns, 2g of one beside 2g + 1 of the other; a last odd tile has 8 of its own.

/// Two doubles that are read once and leave the first-level cache to the functions.
__device__ __forceinline__ double2 readOnce(const double* at) {
  double2 value;
  asm("ld.global.nc.L1::no_allocate.v2.f64 {%0, %1}, [%2];" : "=d"(value.x), "=d"(value.y) : "l"(at));
  return value;
}

/// Brings a warp's 32 rows of 16 columns into the second-level cache, a line for each lane.
__device__ __forceinline__ void prefetchRows(const double* w, int points, int rows) {
  const int row = threadIdx.x % 32;
  if (row < rows) asm volatile("prefetch.global.L2 [%0];" ::"l"(w + static_cast<long long>(row) * points));
}

/// Fragments b of Tiles tiles: rows f (place t of the eight) and f + ld (place t + 4), columns from f on.
template <int Tiles>
__device__ __forceinline__ void loadColumns(const double* f, int ld, double (&b)[Tiles][2]) {
  const int g = threadIdx.x % 32 / 4;
#pragma unroll
  for (int i = 0; i < Tiles / 2; ++i) {
    const double2 upper = *reinterpret_cast<const double2*>(f + 2 * kTile * i + 2 * g),
                  lower = *reinterpret_cast<const double2*>(f + ld + 2 * kTile * i + 2 * g);
    b[2 * i][0] = upper.x;
    b[2 * i][1] = lower.x;
    b[2 * i + 1][0] = upper.y;
    b[2 * i + 1][1] = lower.y;
  }
  if constexpr (Tiles % 2 == 1) {
    b[Tiles - 1][0] = f[(Tiles - 1) * kTile + g];
    b[Tiles - 1][1] = f[ld + (Tiles - 1) * kTile + g];
  }
}

/// Column of entry `second` of a lane's pair in a tile's result.
__device__ __forceinline__ int columnOf(int tile, int tiles, int second) {
  const int t = threadIdx.x % 4;
  if (tile == tiles - 1 && tiles % 2 == 1) return tile * kTile + 2 * t + second;
  return tile / 2 * 2 * kTile + 4 * t + 2 * second + tile % 2;
}

/// sum += w(strips First .. Strips - 1 from `w` on, columns from .. upTo) phi(.., Tiles tiles); one warp.
template <int First, int Strips, int Tiles>
__device__ __forceinline__ void addProduct(const double* __restrict__ w, int points, int from, int upTo,
                                           const double* __restrict__ phi, int n,
                                           double (&sum)[Strips][Tiles][4]) {
  const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
  for (int j = from; j < upTo; j += 2 * kTile) {
    if (j + kAhead < upTo) prefetchRows(w + j + kAhead, points, Strips * kStrip);
    double2 a[Strips][2][2];  // upper and lower row, columns 2t and 8 + 2t
#pragma unroll
    for (int s = First; s < Strips; ++s) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const double* row = w + static_cast<long long>(s * kStrip + half * 8 + g) * points + j + 2 * t;
        a[s][half][0] = readOnce(row);
        a[s][half][1] = readOnce(row + kTile);
      }
    }
#pragma unroll
    for (int step = 0; step < 2; ++step) {
      double b[Tiles][2];
      loadColumns<Tiles>(phi + static_cast<long long>(j + kTile * step + 2 * t) * n, n, b);
#pragma unroll
      for (int s = First; s < Strips; ++s) {
        const double rows[4] = {a[s][0][step].x, a[s][1][step].x, a[s][0][step].y, a[s][1][step].y};
#pragma unroll
        for (int tile = 0; tile < Tiles; ++tile) multiplyAdd(sum[s][tile], rows, b[tile]);
      }
    }
  }
}

/// t = w phi for the strip `last` and, if there is one, that before it, of which a triangle needs 16 columns
/// fewer; Tiles tiles of columns.
template <int Strips, int Tiles>
__device__ void strips(const double* w, int points, int last, bool triangle, const double* phi, int n,
                       double* t, int ldt) {
  const int g = threadIdx.x % 32 / 4;
  const double* own = w + static_cast<long long>(last - Strips + 1) * kStrip * points;
  double sum[Strips][Tiles][4] = {};
  const int common = !triangle ? points : (last - Strips + 2) * kStrip;
  addProduct<0, Strips, Tiles>(own, points, 0, common, phi, n, sum);
  if constexpr (Strips == 2) {
    if (triangle) addProduct<1, 2, Tiles>(own, points, common, common + kStrip, phi, n, sum);
  }
#pragma unroll
  for (int s = 0; s < Strips; ++s) {
    double* out = t + ((last - Strips + 1 + s) * kStrip + g) * ldt;
#pragma unroll
    for (int tile = 0; tile < Tiles; ++tile) {
#pragma unroll
      for (int e = 0; e < 4; ++e) out[e / 2 * 8 * ldt + columnOf(tile, Tiles, e % 2)] = sum[s][tile][e];
    }
  }
}

template <int Tiles>
__device__ void stripsOf(const double* w, int points, int last, bool triangle, const double* phi, int n,
                         double* t, int ldt) {
  if (last > 0) {
    strips<2, Tiles>(w, points, last, triangle, phi, n, t, ldt);
  } else {
    strips<1, Tiles>(w, points, last, triangle, phi, n, t, ldt);
  }
}

/// All columns, in groups of at most kMaxTiles tiles.
__device__ void allColumns(const double* w, int points, int last, bool triangle, const double* phi, int n,
                           double* t, int ldt) {
  const int tiles = n / kTile, groups = (tiles + kMaxTiles - 1) / kMaxTiles,
            each = (tiles + groups - 1) / groups;
  for (int tile = 0; tile < tiles; tile += each) {
    const int q = tile * kTile;
    switch (min(each, tiles - tile)) {
      case 1:
        stripsOf<1>(w, points, last, triangle, phi + q, n, t + q, ldt);
        break;
      case 2:
        stripsOf<2>(w, points, last, triangle, phi + q, n, t + q, ldt);
        break;
      case 3:
        stripsOf<3>(w, points, last, triangle, phi + q, n, t + q, ldt);
        break;
      case 4:
        stripsOf<4>(w, points, last, triangle, phi + q, n, t + q, ldt);
        break;
      default:
        stripsOf<5>(w, points, last, triangle, phi + q, n, t + q, ldt);
        break;
    }
  }
}

/// 16 rows p and Tiles tiles of columns q of phi^T t into half, whose rows are n + 1 apart; one warp. Rows
/// p + 2g are the upper, p + 2g + 1 the lower ones.
template <int Tiles>
__device__ void outerTiles(const double* __restrict__ phi, int n, int points, const double* t, int ldt, int p,
                           int q, double* half) {
  const int g = threadIdx.x % 32 / 4, k = threadIdx.x % 4;
  const bool inside = p + 2 * g < n;
  double sum[Tiles][4] = {};
#pragma unroll 2
  for (int i = 0; i < points; i += kTile) {
    const double* f = phi + static_cast<long long>(i + 2 * k) * n + p + 2 * g;
    const double2 none{0.0, 0.0}, first = inside ? *reinterpret_cast<const double2*>(f) : none,
                                  second = inside ? *reinterpret_cast<const double2*>(f + n) : none;
    const double a[4] = {first.x, first.y, second.x, second.y};
    double b[Tiles][2];
    loadColumns<Tiles>(t + (i + 2 * k) * ldt + q, ldt, b);
#pragma unroll
    for (int tile = 0; tile < Tiles; ++tile) multiplyAdd(sum[tile], a, b[tile]);
  }
  if (!inside) return;
#pragma unroll
  for (int tile = 0; tile < Tiles; ++tile) {
#pragma unroll
    for (int e = 0; e < 4; ++e)
      half[(p + 2 * g + e / 2) * (n + 1) + q + columnOf(tile, Tiles, e % 2)] = sum[tile][e];
  }
}

/// closedFock block (LL, SS or LS) of one symmetry: t = w phi two strips at a time in shared memory, then
/// phi^T t. One block for each (slot, symmetry, block).
__global__ void __launch_bounds__(kThreadsForRegisters) project(View v) {
  extern __shared__ __align__(16) double t[];
  const int slot = v.list[blockIdx.y], a = blockIdx.x / 3, block = blockIdx.x % 3;
  const int points = v.shape.points, n = v.shape.n[a], size = 2 * n, ldt = projectionRow(n),
            warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const long long square = static_cast<long long>(points) * points;
  const double* large = slotPart(v.phi, slot, v.shape.phiSize) + v.shape.phi[a];
  const double* small = large + static_cast<long long>(points) * n;
  const double* w = slotPart(v.w, slot, 3 * square * v.shape.symmetries) + (3 * a + block) * square;
  // Longest strips first: those of LL and SS grow with their number.
  for (int last = points / kStrip - 1 - 2 * warp; last >= 0; last -= 2 * warps)
    allColumns(w, points, last, block != kLS, block == kLL ? large : small, n, t, ldt);
  __syncthreads();
  double* half = t + points * ldt;  // n x (n + 1)
  const int across = (n + 2 * kTile - 1) / (2 * kTile);
  for (int job = warp; job < across * across; job += warps) {
    const int p = job / across * 2 * kTile, q = job % across * 2 * kTile;
    const double* phi = block == kSS ? small : large;
    if (q + kTile < n) {
      outerTiles<2>(phi, n, points, t, ldt, p, q, half);
    } else {
      outerTiles<1>(phi, n, points, t, ldt, p, q, half);
    }
  }
  __syncthreads();
  const double* core = slotPart(v.core, slot, v.shape.matrixSize) + v.shape.matrix[a];
  double* fock = slotPart(v.closedFock, slot, v.shape.matrixSize) + v.shape.matrix[a];
  const int offset = block == kSS ? n : 0;
  for (int e = threadIdx.x; e < n * n; e += blockDim.x) {
    const int p = e / n, q = e % n;
    const double pq = half[p * (n + 1) + q], qp = half[q * (n + 1) + p];
    if (block == kLS) {
      fock[p * size + n + q] = core[p * size + n + q] + pq;
      fock[(n + p) * size + q] = core[(n + p) * size + q] + qp;
    } else {
      const int at = (offset + p) * size + offset + q;
      fock[at] = core[at] + (pq + qp);
    }
  }
}

/// 16 rows p and Tiles tiles of columns q of phi^T (local phi + gradient phi') into half, as outerTiles; one
/// warp. `slopes` is null where there is no gradient.
template <int Tiles>
__device__ void localTiles(const double* __restrict__ phi, const double* __restrict__ slopes, int n,
                           int points, const double* local, const double* gradient, int p, int q,
                           double* half) {
  const int g = threadIdx.x % 32 / 4, k = threadIdx.x % 4;
  const bool inside = p + 2 * g < n;
  double sum[Tiles][4] = {};
  for (int i = 2 * k; i < points; i += kTile) {
    const double* f = phi + static_cast<long long>(i) * n + p + 2 * g;
    const double2 none{0.0, 0.0}, first = inside ? *reinterpret_cast<const double2*>(f) : none,
                                  second = inside ? *reinterpret_cast<const double2*>(f + n) : none;
    const double a[4] = {first.x, first.y, second.x, second.y};
    double b[Tiles][2];
    loadColumns<Tiles>(phi + static_cast<long long>(i) * n + q, n, b);
#pragma unroll
    for (int tile = 0; tile < Tiles; ++tile) {
      b[tile][0] *= local[i];
      b[tile][1] *= local[i + 1];
    }
    if (slopes) {
      double s[Tiles][2];
      loadColumns<Tiles>(slopes + static_cast<long long>(i) * n + q, n, s);
#pragma unroll
      for (int tile = 0; tile < Tiles; ++tile) {
        b[tile][0] += gradient[i] * s[tile][0];
        b[tile][1] += gradient[i + 1] * s[tile][1];
      }
    }
#pragma unroll
    for (int tile = 0; tile < Tiles; ++tile) multiplyAdd(sum[tile], a, b[tile]);
  }
  if (!inside) return;
#pragma unroll
  for (int tile = 0; tile < Tiles; ++tile) {
#pragma unroll
    for (int e = 0; e < 4; ++e)
      half[(p + 2 * g + e / 2) * (n + 1) + q + columnOf(tile, Tiles, e % 2)] = sum[tile][e];
  }
}

/// closedFock with the potential of a functional, which has no LS block. One block for each (slot, symmetry,
/// component).
__global__ void projectLocal(View v) {
  extern __shared__ __align__(16) double shared[];
  const int slot = v.list[blockIdx.y], a = blockIdx.x / 2, component = blockIdx.x % 2;
  const int points = v.shape.points, n = v.shape.n[a], size = 2 * n, warp = threadIdx.x / 32,
            warps = blockDim.x / 32;
  double *local = shared, *gradient = shared + points, *half = shared + 2 * points;
  const double* potential = slotPart(v.potential, slot, v.shape.potentialSize);
  for (int i = threadIdx.x; i < points; i += blockDim.x) {
    local[i] = 0.5 * potential[i];  // half is added to its transpose
    if (v.shape.components > 2) gradient[i] = potential[points + i];
  }
  __syncthreads();
  const long long square = static_cast<long long>(points) * n;
  const double* phi = slotPart(v.phi, slot, v.shape.phiSize) + v.shape.phi[a] + component * square;
  const double* slopes = v.shape.components > 2 ? phi + 2 * square : nullptr;
  const int across = (n + 2 * kTile - 1) / (2 * kTile);
  for (int job = warp; job < across * across; job += warps) {
    const int p = job / across * 2 * kTile, q = job % across * 2 * kTile;
    if (q + kTile < n) {
      localTiles<2>(phi, slopes, n, points, local, gradient, p, q, half);
    } else {
      localTiles<1>(phi, slopes, n, points, local, gradient, p, q, half);
    }
  }
  __syncthreads();
  const double* core = slotPart(v.core, slot, v.shape.matrixSize) + v.shape.matrix[a];
  double* fock = slotPart(v.closedFock, slot, v.shape.matrixSize) + v.shape.matrix[a];
  for (int e = threadIdx.x; e < n * n; e += blockDim.x) {
    const int p = e / n, q = e % n;
    const int row = (component * n + p) * size, own = row + component * n + q,
              other = row + (1 - component) * n + q;
    fock[own] = core[own] + (half[p * (n + 1) + q] + half[q * (n + 1) + p]);
    fock[other] = core[other];
  }
}

/// As many warps as let each have the same number of pairs of strips.
unsigned warpsFor(int points) {
  const unsigned pairs = static_cast<unsigned>((points / kStrip + 1) / 2), most = kMostThreads / 32;
  const unsigned rounds = (pairs + most - 1) / most;
  return (pairs + rounds - 1) / rounds;
}

}  // namespace

void launchProjection(const View& v, cudaStream_t stream) {
  if (v.shape.functional != 0) {
    const int bytes = bytesOf(localProjectionDoubles(v.shape));
    allowSharedMemory(projectLocal, bytes);
    projectLocal<<<dim3(static_cast<unsigned>(2 * v.shape.symmetries), static_cast<unsigned>(v.count)),
                   kLocalThreads, bytes, stream>>>(v);
    PROPHET_CUDA_CHECK_LAUNCH();
    return;
  }
  const int bytes = bytesOf(projectionDoubles(v.shape));
  allowSharedMemory(project, bytes);
  project<<<dim3(static_cast<unsigned>(3 * v.shape.symmetries), static_cast<unsigned>(v.count)),
            warpsFor(v.shape.points) * 32, bytes, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda::batch
