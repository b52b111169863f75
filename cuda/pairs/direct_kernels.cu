// Direct Debye sums by tiles of the matrix of pairs, triangles and rectangles.
//
// A block of 128 threads does a tile of 128 atoms i, one a thread, and 512 atoms j, which lie in shared
// memory, for the momenta of the launch (constants of the kernel). A pair's distance and inverse are computed
// once. A term reduces the phase to half a turn (exactly but for the rounding of r) and takes the sine by a
// polynomial of ninth degree: about 13 instructions, of which a multiprocessor issues 128 lanes a
// clock: 2.2e12 terms a second on an H200 are the floor, 1.9e12 were measured. With the sine of the
// special-function unit (kSpecial, about 9 instructions) 2.3e12 were; an earlier form of it erred as much as
// the polynomial, as the rounding of r prevails, but this form has been timed only.
//
// Sums of 128 terms are added up with the rounding error carried along (W. Kahan, Commun. ACM 8, 40 (1965)),
// then in double precision.
#include <algorithm>

#include "cuda/common/check.hpp"
#include "cuda/pairs/kernels.hpp"
#include "pairs/sine_turns.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 128, kColumns = 512, kRun = 128;

__device__ __forceinline__ float inverseRoot(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return fmaf(fmaf(-x * y, y, 1.0f), 0.5f * y, y);
}
__device__ __forceinline__ double inverseRoot(double x) { return rsqrt(x); }

__device__ __forceinline__ double fractionOf(double high, double low, double r) {
  const double whole = rint(high * r);
  return fma(low, r, fma(high, r, -whole));
}

/// weight sin(pi (high + low) r): momenta in half turns.
template <bool kSpecial>
__device__ __forceinline__ float term(float high, float low, float r, float weight) {
  // Adding 1.5 * 2^23 rounds to a whole number, whose last bit decides on the sign.
  const float shifted = fmaf(high, r, 12582912.0f), whole = shifted - 12582912.0f;
  const float g = fmaf(low, r, fmaf(high, r, -whole));
  const float signedWeight = __int_as_float(__float_as_int(weight) ^ (__float_as_int(shifted) << 31));
  if (kSpecial) return signedWeight * __sinf(3.14159265f * g);
  const float s = g * g;
  float p = fmaf(0.07765591f, s, -0.59829041f);  // sin(pi g)/g by interpolation, to 7e-9
  p = fmaf(p, s, 2.55007739f);
  p = fmaf(p, s, -5.16771008f);
  p = fmaf(p, s, 3.14159264f);
  return signedWeight * (g * p);
}
/// weight sin(2 pi (high + low) r): momenta in turns.
template <bool kSpecial>
__device__ __forceinline__ double term(double high, double low, double r, double weight) {
  return weight * sineOfTurns(fractionOf(high, low, r));
}

/// A sum with the part that did not fit.
template <class Real>
struct Compensated {
  Real sum = 0, rest = 0;
  __device__ __forceinline__ void add(Real x) {
    const Real y = x - rest, t = sum + y;
    rest = (t - sum) - y;
    sum = t;
  }
};

__device__ double blockSum(double value, double* scratch) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
  __syncthreads();
  double total = 0;
  if (threadIdx.x == 0) {
    for (int w = 0; w < kThreads / 32; ++w) total += scratch[w];
  }
  __syncthreads();
  return total;
}

template <class Real, bool kSpecial>
__global__ void __launch_bounds__(kThreads)
    direct(const Point<Real>* __restrict__ atoms, const __grid_constant__ KindPair pair,
           const __grid_constant__ Momenta<Real> q, std::uint64_t tiles, std::uint32_t tileColumns, int part,
           int parts, double* sums, unsigned long long* touching) {
  constexpr int kCount = Momenta<Real>::kCount;
  __shared__ Real ox[kColumns], oy[kColumns], oz[kColumns];
  __shared__ double scratch[kThreads / 32];
  Compensated<Real> totals[kCount];
  unsigned long long touched = 0;
  for (std::uint64_t tile = blockIdx.x * static_cast<std::uint64_t>(parts) + part; tile < tiles;
       tile += static_cast<std::uint64_t>(gridDim.x) * parts) {
    const ChunkPair c = rectangleUnit(tile, tileColumns);
    const std::uint32_t i = pair.firstA + c.row * kThreads + threadIdx.x;
    const std::uint32_t firstJ = pair.firstB + c.column * kColumns, endJ = min(firstJ + kColumns, pair.endB);
    if (pair.triangle && firstJ >= pair.firstA + (c.row + 1) * kThreads) continue;
    __syncthreads();
    for (std::uint32_t j = firstJ + threadIdx.x; j < endJ; j += kThreads) {
      const Point<Real> o = atoms[j];
      ox[j - firstJ] = o.x;
      oy[j - firstJ] = o.y;
      oz[j - firstJ] = o.z;
    }
    __syncthreads();
    if (i >= pair.endA) continue;
    const Point<Real> mine = atoms[i];
    const std::uint32_t mineEnd = pair.triangle ? min(endJ, i) : endJ;
    for (std::uint32_t start = firstJ; start < mineEnd; start += kRun) {
      Real run[kCount] = {};
      const std::uint32_t end = min(start + kRun, mineEnd);
      for (std::uint32_t j = start; j < end; ++j) {
        const Real dx = mine.x - ox[j - firstJ], dy = mine.y - oy[j - firstJ], dz = mine.z - oz[j - firstJ];
        const Real square = dx * dx + dy * dy + dz * dz;
        const bool touches = square < Real(1e-12);
        touched += touches;
        const Real inverse = touches ? Real(0) : inverseRoot(square);
        const Real r = square * inverse;
#pragma unroll
        for (int k = 0; k < kCount; ++k) run[k] += term<kSpecial>(q.high[k], q.low[k], r, inverse);
      }
#pragma unroll
      for (int k = 0; k < kCount; ++k) totals[k].add(run[k]);
    }
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kCount; ++k) {
    const double sum =
        blockSum(static_cast<double>(totals[k].sum) - static_cast<double>(totals[k].rest), scratch);
    if (threadIdx.x == 0) atomicAdd(sums + k, sum);
  }
  if (touched) atomicAdd(touching, touched);
}

template <class Real, bool kSpecial>
void launch(const Point<Real>* atoms, const KindPair& pair, const Momenta<Real>& q, int part, int parts,
            double* sums, unsigned long long* touching, cudaStream_t stream) {
  const std::uint32_t rows = pair.endA - pair.firstA, columns = pair.endB - pair.firstB;
  if (rows == 0 || columns == 0) return;
  const std::uint32_t tileColumns = (columns + kColumns - 1) / kColumns;
  const std::uint64_t tiles = static_cast<std::uint64_t>((rows + kThreads - 1) / kThreads) * tileColumns;
  const int blocks = static_cast<int>(std::min<std::uint64_t>((tiles + parts - 1) / parts, 132 * 64));
  direct<Real, kSpecial>
      <<<blocks, kThreads, 0, stream>>>(atoms, pair, q, tiles, tileColumns, part, parts, sums, touching);
  PROPHET_CUDA_CHECK_LAUNCH();
}

constexpr int kTransformThreads = 256, kTransformMomenta = 4;

__global__ void __launch_bounds__(kTransformThreads)
    transform(const double* __restrict__ r, const double* __restrict__ weights, int points,
              const double* __restrict__ turns, int momenta, double* sums) {
  __shared__ double scratch[kTransformThreads / 32];
  const int first = blockIdx.x * kTransformMomenta;
  double q[kTransformMomenta], sum[kTransformMomenta] = {};
  for (int k = 0; k < kTransformMomenta; ++k) q[k] = first + k < momenta ? turns[first + k] : 0.0;
  for (int i = threadIdx.x; i < points; i += kTransformThreads) {
    const double distance = r[i], weight = weights[i];
#pragma unroll
    for (int k = 0; k < kTransformMomenta; ++k) {
      const double whole = rint(q[k] * distance);
      sum[k] += weight * sineOfTurns(fma(q[k], distance, -whole));
    }
  }
  for (int k = 0; k < kTransformMomenta; ++k) {
    double value = sum[k];
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0 && first + k < momenta) {
      double total = 0;
      for (int w = 0; w < kTransformThreads / 32; ++w) total += scratch[w];
      sums[first + k] = total;
    }
    __syncthreads();
  }
}

}  // namespace

void launchDirect(const Point<float>* atoms, const KindPair& pair, const Momenta<float>& q, int part,
                  int parts, bool special, double* sums, unsigned long long* touching, cudaStream_t stream) {
  if (special) {
    launch<float, true>(atoms, pair, q, part, parts, sums, touching, stream);
  } else {
    launch<float, false>(atoms, pair, q, part, parts, sums, touching, stream);
  }
}
void launchDirect(const Point<double>* atoms, const KindPair& pair, const Momenta<double>& q, int part,
                  int parts, bool, double* sums, unsigned long long* touching, cudaStream_t stream) {
  launch<double, false>(atoms, pair, q, part, parts, sums, touching, stream);
}

void launchTransform(const double* r, const double* weights, int points, const double* turns, int momenta,
                     double* sums, cudaStream_t stream) {
  transform<<<(momenta + kTransformMomenta - 1) / kTransformMomenta, kTransformThreads, 0, stream>>>(
      r, weights, points, turns, momenta, sums);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
