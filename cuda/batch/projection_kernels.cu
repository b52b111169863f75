#include "cuda/batch/device_helpers.cuh"
#include "cuda/batch/kernels.hpp"
#include "cuda/batch/shared_memory.hpp"
#include "cuda/batch/tensor_product.cuh"
#include "cuda/common/check.hpp"

namespace prophet::cuda::batch {
namespace {

constexpr int kMostThreads = 320, kStrip = 16, kTile = 8, kMaxTiles = 4;
enum Block { kLL = 0, kSS = 1, kLS = 2 };

/// t(strip, q0 ..) = w(strip, 0 .. upTo) phi(.., q0 ..) for Tiles tiles of 8 columns; one warp.
template <int Tiles>
__device__ void stripProduct(const double* __restrict__ w, int points, int upTo,
                             const double* __restrict__ phi, int n, double* t, int ldt) {
  const int g = threadIdx.x % 32 / 4, k = threadIdx.x % 4;
  double sum[Tiles][4] = {};
  const double* upper = w + static_cast<long long>(g) * points + k;
  const double* lower = upper + 8LL * points;
  const double* function = phi + static_cast<long long>(k) * n + g;
#pragma unroll 2
  for (int j = 0; j < upTo; j += kTile) {
    const double a[4] = {upper[j], lower[j], upper[j + 4], lower[j + 4]};
#pragma unroll
    for (int tile = 0; tile < Tiles; ++tile) {
      const double b[2] = {function[static_cast<long long>(j) * n + tile * kTile],
                           function[static_cast<long long>(j + 4) * n + tile * kTile]};
      multiplyAdd(sum[tile], a, b);
    }
  }
#pragma unroll
  for (int tile = 0; tile < Tiles; ++tile) {
    double* out = t + g * ldt + tile * kTile + 2 * k;
    out[0] = sum[tile][0];
    out[1] = sum[tile][1];
    out[8 * ldt] = sum[tile][2];
    out[8 * ldt + 1] = sum[tile][3];
  }
}

/// All columns of one strip, 32 at a time.
__device__ void strip(const double* w, int points, int upTo, const double* phi, int n, double* t, int ldt) {
  for (int q = 0; q < n; q += kMaxTiles * kTile) {
    switch (min(kMaxTiles, (n - q) / kTile)) {
      case 1:
        stripProduct<1>(w, points, upTo, phi + q, n, t + q, ldt);
        break;
      case 2:
        stripProduct<2>(w, points, upTo, phi + q, n, t + q, ldt);
        break;
      case 3:
        stripProduct<3>(w, points, upTo, phi + q, n, t + q, ldt);
        break;
      default:
        stripProduct<4>(w, points, upTo, phi + q, n, t + q, ldt);
        break;
    }
  }
}

/// One 16 x 8 tile of phi^T t at (p, q); one warp. Two sums run side by side.
__device__ void outerTile(const double* __restrict__ phi, int n, int points, const double* t, int ldt, int p,
                          int q, double (&sum)[4]) {
  const int g = threadIdx.x % 32 / 4, k = threadIdx.x % 4;
  const bool second = p + 8 < n;
  double other[4] = {};
  const auto step = [&](int i, double(&c)[4]) {
    const double* f = phi + static_cast<long long>(i + k) * n + p + g;
    const double a[4] = {f[0], second ? f[8] : 0.0, f[4LL * n], second ? f[4LL * n + 8] : 0.0};
    const double b[2] = {t[(i + k) * ldt + q + g], t[(i + 4 + k) * ldt + q + g]};
    multiplyAdd(c, a, b);
  };
  for (int i = 0; i < points; i += 2 * kTile) {
    step(i, sum);
    step(i + kTile, other);
  }
#pragma unroll
  for (int e = 0; e < 4; ++e) sum[e] += other[e];
}

/// Rows of t are 4 doubles more than a multiple of 8 apart: the four k of a fragment meet different banks.
__host__ __device__ inline int rowLength(int n) { return n + 4; }

/// closedFock block (LL, SS or LS) of one symmetry: t = w phi strip by strip in shared memory, then phi^T t.
/// One block for each (slot, symmetry, block).
__global__ void __launch_bounds__(kMostThreads) project(View v) {
  extern __shared__ double t[];
  const int slot = v.list[blockIdx.y], a = blockIdx.x / 3, block = blockIdx.x % 3;
  const int points = v.shape.points, n = v.shape.n[a], size = 2 * n, ldt = rowLength(n),
            warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const long long square = static_cast<long long>(points) * points;
  const double* large = slotPart(v.phi, slot, v.shape.phiSize) + v.shape.phi[a];
  const double* small = large + static_cast<long long>(points) * n;
  const double* w = slotPart(v.w, slot, 3 * square * v.shape.symmetries) + (3 * a + block) * square;
  const int strips = points / kStrip;
  // Longest strips first: those of LL and SS grow with their number.
  for (int s = strips - 1 - warp; s >= 0; s -= warps) {
    strip(w + static_cast<long long>(s) * kStrip * points, points, block == kLS ? points : (s + 1) * kStrip,
          block == kLL ? large : small, n, t + s * kStrip * ldt, ldt);
  }
  __syncthreads();
  double* half = t + points * ldt;  // n x (n + 1)
  const int across = n / kTile, tiles = (n + kStrip - 1) / kStrip * across;
  const int g = threadIdx.x % 32 / 4, k = threadIdx.x % 4;
  for (int tile = warp; tile < tiles; tile += warps) {
    const int p = tile / across * kStrip, q = tile % across * kTile;
    double sum[4] = {};
    outerTile(block == kSS ? small : large, n, points, t, ldt, p, q, sum);
    double* out = half + (p + g) * (n + 1) + q + 2 * k;
    out[0] = sum[0];
    out[1] = sum[1];
    if (p + 8 < n) {
      out[8 * (n + 1)] = sum[2];
      out[8 * (n + 1) + 1] = sum[3];
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

/// As many warps as let each have the same number of strips.
unsigned warpsFor(int points) {
  const unsigned strips = static_cast<unsigned>(points / kStrip), most = kMostThreads / 32;
  const unsigned rounds = (strips + most - 1) / most;
  return (strips + rounds - 1) / rounds;
}

}  // namespace

void launchProjection(const View& v, cudaStream_t stream) {
  int n = 0;
  for (int a = 0; a < v.shape.symmetries; ++a) n = v.shape.n[a] > n ? v.shape.n[a] : n;
  const int bytes = static_cast<int>(sizeof(double)) * (v.shape.points * rowLength(n) + n * (n + 1));
  allowSharedMemory(project, bytes);
  project<<<dim3(static_cast<unsigned>(3 * v.shape.symmetries), static_cast<unsigned>(v.count)),
            warpsFor(v.shape.points) * 32, bytes, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda::batch
