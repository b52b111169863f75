#include "cuda/batch/device_helpers.cuh"
#include "cuda/batch/kernels.hpp"
#include "cuda/batch/shared_memory.hpp"
#include "cuda/common/check.hpp"

namespace prophet::cuda::batch {
namespace {

constexpr int kColumns = 32, kThreads = 256;
/// Rows that a thread has, of a tile and of the strips by which the projection reads.
constexpr int kEach = 1, kRows = kEach * kThreads / kColumns, kStrip = 16;

/// Kernels of a tile: Coulomb exchange, and the four of Breit, for each pair.
template <int Symmetries, bool Breit>
__host__ __device__ constexpr int kernelsOf() {
  return Symmetries * (Symmetries + 1) / 2 * (Breit ? 1 + kCrossKernels : 1);
}

/// Kernel `which` of (CrossKernel) x (pairs) of the whole Breit interaction.
__device__ inline const double* wholeBreitCentre(const View& v, int which) {
  const int pairs = v.shape.symmetries * (v.shape.symmetries + 1) / 2;
  return kernelCentre(v, pairs + 1 + kWholeBreit * kCrossKernels * pairs + which);
}

/// What a tile keeps in shared memory.
struct Tile {
  const double* kernel;   ///< kernelsOf x window: entry i - j + kColumns - 1 of the tile
  const double* rows;     ///< orbital x (large 16, small 16)
  const double* columns;  ///< orbital x (large 32, small 32), times the occupation
  int i0, j0;
};
constexpr int kWindow = kRows + kColumns - 1;

/// Densities of one symmetry at a thread's rows of one column; LL and SS only if `Lower`, SL only with Breit.
template <bool Lower, bool Breit>
struct Densities {
  double ll[Lower ? kEach : 1], ss[Lower ? kEach : 1], ls[kEach], sl[Breit ? kEach : 1];
};

template <bool Lower, bool Breit>
__device__ __forceinline__ void addOrbital(const double* r, double large, double small,
                                           Densities<Lower, Breit>& d) {
#pragma unroll
  for (int t = 0; t < kEach; ++t) {
    const double rowLarge = r[t];
    d.ls[t] += rowLarge * small;
    if constexpr (Lower) d.ll[t] += rowLarge * large;
    if constexpr (Lower || Breit) {
      const double rowSmall = r[kRows + t];
      if constexpr (Lower) d.ss[t] += rowSmall * small;
      if constexpr (Breit) d.sl[t] += rowSmall * large;
    }
  }
}

/// The brackets of one thread: its rows of one column. `Lower`: whether the tile has elements on or below the
/// diagonal, which LL and SS need.
template <int Symmetries, bool Breit, bool Lower>
__device__ __forceinline__ void brackets(const View& v, int slot, const Tile& tile) {
  constexpr int kPairs = Symmetries * (Symmetries + 1) / 2;
  const int points = v.shape.points;
  const int column = threadIdx.x % kColumns, row = kEach * (threadIdx.x / kColumns);
  const int i = tile.i0 + row, j = tile.j0 + column;
  Densities<Lower, Breit> d[Symmetries];
#pragma unroll
  for (int b = 0; b < Symmetries; ++b) {
    d[b] = {};
#pragma unroll 2
    for (int o = v.shape.firstOrbital[b]; o < v.shape.firstOrbital[b + 1]; ++o) {
      const double* c = tile.columns + o * 2 * kColumns + column;
      addOrbital<Lower, Breit>(tile.rows + o * 2 * kRows + row, Lower || Breit ? c[0] : 0.0, c[kColumns],
                               d[b]);
    }
  }
  if (j >= points) return;
  const long long square = static_cast<long long>(points) * points;
  const double* potential = slotPart(v.potential, slot, points);
  double* out = slotPart(v.w, slot, 3 * square * Symmetries) + static_cast<long long>(i) * points + j;
  const double* window = tile.kernel + row - column + kColumns - 1;
  // One pointer goes from symmetry to symmetry: as many as there are symmetries would take the registers.
#pragma unroll
  for (int a = 0; a < Symmetries; ++a, out += 3 * square) {
    double sum[3][kEach] = {};
#pragma unroll
    for (int b = 0; b < Symmetries; ++b) {
      const double* g = window + pairOf(a, b) * kWindow;
#pragma unroll
      for (int t = 0; t < kEach; ++t) {
        if constexpr (Lower) {
          sum[0][t] -= g[t] * d[b].ll[t];
          sum[1][t] -= g[t] * d[b].ss[t];
        }
        sum[2][t] -= g[t] * d[b].ls[t];
      }
      if constexpr (Breit) {
        const double* cross = window + (kPairs + pairOf(a, b)) * kWindow;
        const double* fromSS = cross + (a >= b ? kCrossLL : kCrossSS) * kPairs * kWindow;
        const double* fromLL = cross + (a >= b ? kCrossSS : kCrossLL) * kPairs * kWindow;
        const double* fromSL = cross + (a >= b ? kCrossMixed : kCrossTransposed) * kPairs * kWindow;
#pragma unroll
        for (int t = 0; t < kEach; ++t) {
          if constexpr (Lower) {
            sum[0][t] -= fromSS[t] * d[b].ss[t];
            sum[1][t] -= fromLL[t] * d[b].ll[t];
          }
          sum[2][t] -= fromSL[t] * d[b].sl[t];
        }
      }
    }
#pragma unroll
    for (int t = 0; t < kEach; ++t) {
      const int line = i + t;
      double* w = out + static_cast<long long>(t) * points;
      w[2 * square] = sum[2][t];
      if constexpr (Lower) {
        const double factor = line == j ? 0.5 : line > j ? 1.0 : 0.0;
        // Columns above the diagonal are read by the projection up to the end of its 16-row strip only.
        if (j >= (line / kStrip + 1) * kStrip) continue;
        const double local = line == j ? 0.5 * potential[i + t] : 0.0;
        w[0] = factor * sum[0][t] + local;
        w[square] = factor * sum[1][t] + local;
      }
    }
  }
}

/// Blocks that share a multiprocessor where the registers suffice: one loads while others compute.
template <int Symmetries, bool Breit>
constexpr int blocksTogether() {
  return Breit || Symmetries > 7 ? 1 : Symmetries > 4 ? 2 : 3;
}

/// Bracket of the Fock matrices on a tile of grid points (i, j) for all symmetries at once:
///   W_a(i,j) = - sum_b G_ab[i - j] D_b(i,j), D_b = sum_o n_o psi_o(i) psi_o(j)   (blocks LL, LS, SS),
/// with the potential on the diagonal. `Breit` adds the kernels that act on the density of the other
/// components: LL from SS, SS from LL, LS from SL. Densities of all symmetries stay in registers (that is why
/// their number is a template parameter), kernels and orbitals of the tile in shared memory; only the sums
/// are written. LL and SS are symmetric: only j <= i is written, half of it where i = j, so that the whole is
/// half + half^T, and tiles above the diagonal leave them out. A block does its tile for several slots: the
/// kernels are the same for all.
template <int Symmetries, bool Breit>
__global__ void __launch_bounds__(kThreads, blocksTogether<Symmetries, Breit>()) exchangeTile(View v) {
  extern __shared__ __align__(16) double shared[];
  constexpr int kPairs = Symmetries * (Symmetries + 1) / 2, kKernels = kernelsOf<Symmetries, Breit>();
  const int points = v.shape.points, orbitals = v.shape.firstOrbital[Symmetries];
  const int columnTiles = (points + kColumns - 1) / kColumns;
  const int i0 = (blockIdx.x / columnTiles) * kRows, j0 = (blockIdx.x % columnTiles) * kColumns;
  double* rows = shared;
  double* columns = rows + orbitals * 2 * kRows;
  double* kernel = columns + orbitals * 2 * kColumns;

  for (int which = threadIdx.x / 32; which < kKernels; which += kThreads / 32) {
    const double* centre = which < kPairs ? kernelCentre(v, which) : wholeBreitCentre(v, which - kPairs);
    for (int e = threadIdx.x % 32; e < kWindow; e += 32) {
      const int m = i0 - j0 + e - (kColumns - 1);
      kernel[which * kWindow + e] = abs(m) < points ? centre[m] : 0.0;
    }
  }
  for (unsigned index = blockIdx.y; index < static_cast<unsigned>(v.count); index += gridDim.y) {
    const int slot = v.list[index];
    const double* psi = slotPart(v.orbitals, slot, 2LL * orbitals * points);
    const double* occupation = slotPart(v.input, slot, v.shape.inputSize) + v.shape.inOccupation;
    for (int e = threadIdx.x; e < orbitals * 2 * kRows; e += kThreads) {
      const int o = e / (2 * kRows), component = e / kRows % 2, i = i0 + e % kRows;
      rows[e] = psi[static_cast<long long>(component * orbitals + o) * points + i];
    }
    for (int e = threadIdx.x; e < orbitals * 2 * kColumns; e += kThreads) {
      const int o = e / (2 * kColumns), component = e / kColumns % 2, j = j0 + e % kColumns;
      columns[e] = j < points
                       ? occupation[o] * psi[static_cast<long long>(component * orbitals + o) * points + j]
                       : 0.0;
    }
    __syncthreads();
    const Tile tile{kernel, rows, columns, i0, j0};
    if (j0 < (i0 / kStrip + 1) * kStrip) {
      brackets<Symmetries, Breit, true>(v, slot, tile);
    } else {
      brackets<Symmetries, Breit, false>(v, slot, tile);
    }
    __syncthreads();
  }
}

/// Slots for one block, where there are enough blocks for every multiprocessor.
constexpr unsigned kSlotsTogether = 4, kManyBlocks = 2000;

template <int Symmetries, bool Breit>
void launch(const View& v, cudaStream_t stream) {
  const auto tiles =
                 static_cast<unsigned>(v.shape.points / kRows * ((v.shape.points + kColumns - 1) / kColumns)),
             count = static_cast<unsigned>(v.count);
  const int bytes =
      static_cast<int>(sizeof(double)) *
      (kernelsOf<Symmetries, Breit>() * kWindow + v.shape.firstOrbital[Symmetries] * 2 * (kRows + kColumns));
  allowSharedMemory(exchangeTile<Symmetries, Breit>, bytes);
  const unsigned across =
      tiles * count > kSlotsTogether * kManyBlocks ? (count + kSlotsTogether - 1) / kSlotsTogether : count;
  exchangeTile<Symmetries, Breit><<<dim3(tiles, across), kThreads, bytes, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

template <bool Breit>
void launchFor(const View& v, cudaStream_t stream) {
  using Launcher = void (*)(const View&, cudaStream_t);
  constexpr Launcher kLaunchers[kMaxSymmetries] = {launch<1, Breit>, launch<2, Breit>, launch<3, Breit>,
                                                   launch<4, Breit>, launch<5, Breit>, launch<6, Breit>,
                                                   launch<7, Breit>, launch<8, Breit>, launch<9, Breit>};
  kLaunchers[v.shape.symmetries - 1](v, stream);
}

}  // namespace

void launchExchange(const View& v, cudaStream_t stream) {
  if (v.shape.breitInScf) {
    launchFor<true>(v, stream);
  } else {
    launchFor<false>(v, stream);
  }
}

}  // namespace prophet::cuda::batch
