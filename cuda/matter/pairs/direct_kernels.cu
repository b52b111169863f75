// Direct Debye sums by tiles of the matrix of pairs, triangles and rectangles.
//
// A block of 128 threads does a tile of 128 atoms i, one a thread, and 512 atoms j, which lie in shared
// memory, for the momenta of the launch (constants of the kernel). A pair's distance is computed once, in
// about 25 instructions. In single precision a launch does 32 momenta: with 14 instructions a term, or 6.5
// where momenta are equally spaced (direct_terms.cuh), of which a multiprocessor issues 128 lanes a
// clock: 2.1e12 and 4.6e12 terms a second on an H200 are the floors. In double precision, 64 lanes a clock,
// equally spaced momenta take 4.2: 3.8e12.
//
// Sums of 128 terms are added up with the rounding error carried along (W. Kahan, Commun. ACM 8, 40 (1965)),
// then in double precision.
#include <algorithm>

#include "cuda/core/common/check.hpp"
#include "cuda/core/common/launch.hpp"
#include "cuda/matter/pairs/direct_terms.cuh"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 128, kColumns = 512, kRun = 128;

/// Sums of a thread: of the last terms, and of all before them with the part that did not fit.
template <class Real, int N>
struct Sums {
  float run[N] = {}, sum[N] = {}, rest[N] = {};

  __device__ __forceinline__ void carryOver() {
#pragma unroll
    for (int k = 0; k < N; ++k) {
      const float y = run[k] - rest[k], t = sum[k] + y;
      rest[k] = (t - sum[k]) - y;
      sum[k] = t;
      run[k] = 0;
    }
  }
  __device__ __forceinline__ double total(int k) const {
    return static_cast<double>(sum[k]) - static_cast<double>(rest[k]);
  }
};

/// Double precision loses nothing.
template <int N>
struct Sums<double, N> {
  double run[N] = {};

  __device__ __forceinline__ void carryOver() {}
  __device__ __forceinline__ double total(int k) const { return run[k]; }
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

template <class Terms>
__global__ void __launch_bounds__(kThreads)
    direct(const Point* __restrict__ atoms, const __grid_constant__ KindPair pair,
           const __grid_constant__ typename Terms::Momenta q, std::uint64_t tiles, std::uint32_t tileColumns,
           int part, int parts, double* sums, unsigned long long* touching) {
  using Real = typename Terms::Real;
  constexpr int kCount = Terms::Momenta::kCount;
  __shared__ double ox[kColumns], oy[kColumns], oz[kColumns];
  __shared__ double scratch[kThreads / 32];
  Sums<Real, kCount> mySums;
  unsigned long long touched = 0;
  for (std::uint64_t tile = blockIdx.x * static_cast<std::uint64_t>(parts) + part; tile < tiles;
       tile += static_cast<std::uint64_t>(gridDim.x) * parts) {
    const ChunkPair c = rectangleUnit(tile, tileColumns);
    const std::uint32_t i = pair.firstA + c.row * kThreads + threadIdx.x;
    const std::uint32_t firstJ = pair.firstB + c.column * kColumns, endJ = min(firstJ + kColumns, pair.endB);
    if (pair.triangle && firstJ >= pair.firstA + (c.row + 1) * kThreads) continue;
    __syncthreads();
    for (std::uint32_t j = firstJ + threadIdx.x; j < endJ; j += kThreads) {
      const Point o = atoms[j];
      ox[j - firstJ] = o.x;
      oy[j - firstJ] = o.y;
      oz[j - firstJ] = o.z;
    }
    __syncthreads();
    if (i >= pair.endA) continue;
    const Point mine = atoms[i];
    const std::uint32_t mineEnd = pair.triangle ? min(endJ, i) : endJ;
    for (std::uint32_t start = firstJ; start < mineEnd; start += kRun) {
      const std::uint32_t end = min(start + kRun, mineEnd);
      for (std::uint32_t j = start; j < end; ++j) {
        const double dx = mine.x - ox[j - firstJ], dy = mine.y - oy[j - firstJ], dz = mine.z - oz[j - firstJ];
        const double square = dx * dx + dy * dy + dz * dz;
        if (square < 1e-12) {
          ++touched;
        } else {
          Terms::add(q, square, mySums.run);
        }
      }
      mySums.carryOver();
    }
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kCount; ++k) {
    const double sum = blockSum(mySums.total(k), scratch);
    if (threadIdx.x == 0) atomicAdd(sums + k, sum);
  }
  if (touched) atomicAdd(touching, touched);
}

template <class Terms>
void launch(const Point* atoms, const KindPair& pair, const typename Terms::Momenta& q, int part, int parts,
            double* sums, unsigned long long* touching, cudaStream_t stream) {
  const std::uint32_t rows = pair.endA - pair.firstA, columns = pair.endB - pair.firstB;
  if (rows == 0 || columns == 0) return;
  const std::uint32_t tileColumns = (columns + kColumns - 1) / kColumns;
  const std::uint64_t tiles = static_cast<std::uint64_t>((rows + kThreads - 1) / kThreads) * tileColumns;
  // Several times as many as run at once, as tiles at the edge of a triangle hold fewer pairs.
  constexpr int kRounds = 16;
  const auto most = static_cast<std::uint64_t>(kRounds * residentBlocks(direct<Terms>, kThreads));
  const int blocks = static_cast<int>(std::min<std::uint64_t>((tiles + parts - 1) / parts, most));
  direct<Terms>
      <<<blocks, kThreads, 0, stream>>>(atoms, pair, q, tiles, tileColumns, part, parts, sums, touching);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace

void launchDirect(const Point* atoms, const KindPair& pair, const SingleMomenta& q, int part, int parts,
                  double* sums, unsigned long long* touching, cudaStream_t stream) {
  launch<SingleTerms>(atoms, pair, q, part, parts, sums, touching, stream);
}
void launchDirect(const Point* atoms, const KindPair& pair, const MomentumLadder& q, int part, int parts,
                  double* sums, unsigned long long* touching, cudaStream_t stream) {
  launch<LadderTerms>(atoms, pair, q, part, parts, sums, touching, stream);
}
void launchDirect(const Point* atoms, const KindPair& pair, const DoubleMomenta& q, int part, int parts,
                  double* sums, unsigned long long* touching, cudaStream_t stream) {
  launch<DoubleTerms>(atoms, pair, q, part, parts, sums, touching, stream);
}

void launchDirect(const Point* atoms, const KindPair& pair, const DoubleLadder& q, int part, int parts,
                  double* sums, unsigned long long* touching, cudaStream_t stream) {
  launch<DoubleLadderTerms>(atoms, pair, q, part, parts, sums, touching, stream);
}

}  // namespace prophet::cuda
