// Sums over triangles at the pixels of a detector, for up to four waves at once.
//
// A block does a tile of 64 pixels of a row and takes 128 triangles at a time: it computes their waves (U and
// V of prophet::sumOnRows) into shared memory, and each of its warps does all pixels with its share of the
// triangles. A lane computes the exponentials of two pixels with one triangle, which are what it holds of the
// left factor of a product of 16 pixels x 16 by 16 x 8: the inner index is four triangles times (cos, sin, a
// cos, a sin), the columns are real and imaginary parts of four waves. Tensor cores do such a product in one
// instruction, 4096 operations for 64 exponentials of about 25 instructions each.
#include <algorithm>

#include "core/common/constants.hpp"
#include "cuda/core/common/check.hpp"
#include "cuda/core/common/launch.hpp"
#include "cuda/matter/mesh/shape_kernels.hpp"
#include "matter/shape/quarter_turns.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr int kTriangles = 128;  // in shared memory
constexpr int kColumns = 2 * QRows::kMostWaves;
constexpr int kProducts = kRowPixels / 16;
constexpr double kQuarter = constants::kPi / 2;
/// A triangle has so many double2 in shared memory: one more than there are, so that those of four triangles
/// lie in different banks.
constexpr int kWaveStride = kColumns + 1;

/// c += a b of a warp, 16 x 16 by 16 x 8. Lane 4 g + t has of a the rows g and g + 8 of the columns t, t + 4,
/// t + 8, t + 12, of b the column g of the rows t, t + 4, ..., and of c the columns 2 t and 2 t + 1 of row g,
/// then of row g + 8 (PTX ISA, mma.m16n8k16).
__device__ void addProduct(double (&c)[4], const double (&a)[8], const double (&b)[4]) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, "
      "%11}, "
      "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]),
        "d"(b[1]), "d"(b[2]), "d"(b[3]));
#else
  const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
#pragma unroll
  for (int part = 0; part < 4; ++part) {
    for (int k = 0; k < 4; ++k) {
      const double upper = __shfl_sync(0xffffffffu, a[2 * part], 4 * g + k),
                   lower = __shfl_sync(0xffffffffu, a[2 * part + 1], 4 * g + k),
                   first = __shfl_sync(0xffffffffu, b[part], 8 * t + k),
                   second = __shfl_sync(0xffffffffu, b[part], 8 * t + 4 + k);
      c[0] += upper * first;
      c[1] += upper * second;
      c[2] += lower * first;
      c[3] += lower * second;
    }
  }
#endif
}

/// V and U of a wave, one after the other.
__device__ void waveOf(const Element<double>& e, double2 z, double2* out) {
  double2 u;
  turn(z.x * e.z / kQuarter, u.x, u.y);
  const double size = z.y == 0 ? 1.0 : exp(-z.y * e.z);
  u = {size * u.x, size * u.y};
  out[0] = {e.nz * (z.x * u.x + z.y * u.y), e.nz * (z.x * u.y - z.y * u.x)};
  out[1] = u;
}

/// A triangle's x and y in quarter turns, and its area times normal along them.
struct alignas(16) Place {
  double x, y, nx, ny;
};

__global__ void __launch_bounds__(kThreads, 2)
    rowsKernel(const Element<double>* elements, int count, RowMomenta q, double* partial) {
  __shared__ Place places[kTriangles];
  __shared__ double2 waves[kTriangles * kWaveStride];
  __shared__ double totals[kRowPixels * kColumns];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
  const RowTile tile = q.tiles[blockIdx.x];
  double2 along[2 * kProducts];
#pragma unroll
  for (int k = 0; k < 2 * kProducts; ++k) along[k] = q.along[tile.first + min(8 * k + g, tile.count - 1)];
  double sums[kProducts][4] = {};
  for (int i = threadIdx.x; i < kRowPixels * kColumns; i += kThreads) totals[i] = 0;
  for (int begin = blockIdx.y * kTriangles; begin < count; begin += gridDim.y * kTriangles) {
    __syncthreads();
    for (int i = threadIdx.x; i < kTriangles * QRows::kMostWaves; i += kThreads) {
      const int triangle = i % kTriangles, wave = i / kTriangles;
      Element<double> e{};  // adds nothing
      if (begin + triangle < count) e = elements[begin + triangle];
      if (wave == 0) places[triangle] = {e.x / kQuarter, e.y / kQuarter, e.nx, e.ny};
      double2* const to = waves + triangle * kWaveStride + 2 * wave;
      if (wave < q.waves) {
        waveOf(e, q.z[tile.row * q.waves + wave], to);
      } else {
        to[0] = to[1] = {0, 0};
      }
    }
    __syncthreads();
    for (int first = 4 * warp; first < kTriangles; first += 4 * kWarps) {
      const Place place = places[first + t];
      const double2 v = waves[(first + t) * kWaveStride + g / 2 * 2],
                    u = waves[(first + t) * kWaveStride + g / 2 * 2 + 1];
      const bool isReal = g % 2 == 0;
      const double b[4] = {isReal ? v.x : v.y, isReal ? -v.y : v.x, isReal ? u.x : u.y, isReal ? -u.y : u.x};
#pragma unroll
      for (int m = 0; m < kProducts; ++m) {
        double a[8];
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const double2 p = along[2 * m + half];
          double c, s;
          turn(p.x * place.x + p.y * place.y, c, s);
          const double weight = p.x * place.nx + p.y * place.ny;
          a[half] = c;
          a[2 + half] = s;
          a[4 + half] = weight * c;
          a[6 + half] = weight * s;
        }
        addProduct(sums[m], a, b);
      }
    }
  }
  // Warp by warp, so that results are the same ones every time.
  for (int w = 0; w < kWarps; ++w) {
    __syncthreads();
    if (w != warp) continue;
#pragma unroll
    for (int m = 0; m < kProducts; ++m) {
      double* const to = totals + (16 * m + g) * kColumns + 2 * t;
      to[0] += sums[m][0];
      to[1] += sums[m][1];
      to[8 * kColumns] += sums[m][2];
      to[8 * kColumns + 1] += sums[m][3];
    }
  }
  __syncthreads();
  double* const mine = partial + (1LL * blockIdx.y * gridDim.x + blockIdx.x) * kRowPixels * kColumns;
  for (int i = threadIdx.x; i < kRowPixels * kColumns; i += kThreads) mine[i] = totals[i];
}

__device__ double2 times(double2 a, double2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

__global__ void finishRowsKernel(RowMomenta q, int slices, double3 centre, double3 area,
                                 const double* partial, double2* f) {
  const long long all = 1LL * q.tileCount * kRowPixels * QRows::kMostWaves;
  for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < all;
       i += 1LL * gridDim.x * blockDim.x) {
    const int wave = static_cast<int>(i % QRows::kMostWaves),
              pixel = static_cast<int>(i / QRows::kMostWaves % kRowPixels);
    const RowTile tile = q.tiles[i / QRows::kMostWaves / kRowPixels];
    if (wave >= q.waves || pixel >= tile.count) continue;
    double2 sum{0, 0};
    for (int s = 0; s < slices; ++s) {
      const double* const part = partial + 2 * (s * all + i);
      sum.x += part[0];
      sum.y += part[1];
    }
    const double2 p = q.along[tile.first + pixel], z = q.z[tile.row * q.waves + wave];
    // exp - 1 instead of exp: less conj(q) times the sum of area times normal.
    sum.x -= p.x * area.x + p.y * area.y + z.x * area.z;
    sum.y += z.y * area.z;
    double2 phase;
    sincos(p.x * centre.x + p.y * centre.y + z.x * centre.z, &phase.y, &phase.x);
    const double size = exp(-z.y * centre.z) / (p.x * p.x + p.y * p.y + z.x * z.x + z.y * z.y);
    const double2 product = times(sum, phase);
    f[1LL * (tile.first + pixel) * q.waves + wave] = {size * product.y, -size * product.x};
  }
}

}  // namespace

int rowSlices(int count, int tiles) {
  constexpr int kRounds = 4;
  const int wanted = kRounds * residentBlocks(rowsKernel, kThreads) / tiles;
  return std::clamp(wanted, 1, std::max(1, (count + kTriangles - 1) / kTriangles));
}

void launchRows(const Element<double>* elements, int count, const RowMomenta& q, int slices, double* partial,
                cudaStream_t stream) {
  const dim3 blocks(static_cast<unsigned>(q.tileCount), static_cast<unsigned>(slices));
  rowsKernel<<<blocks, kThreads, 0, stream>>>(elements, count, q, partial);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchFinishRows(const RowMomenta& q, int slices, double3 centre, double3 area, const double* partial,
                      double2* f, cudaStream_t stream) {
  finishRowsKernel<<<gridFor(1LL * q.tileCount * kRowPixels * QRows::kMostWaves, kThreads), kThreads, 0,
                     stream>>>(q, slices, centre, area, partial, f);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
