#include <cuda_pipeline.h>

#include "cuda/atoms/batch/block_memory.hpp"
#include "cuda/atoms/batch/device_helpers.cuh"
#include "cuda/atoms/batch/kernels.hpp"
#include "cuda/atoms/batch/shared_memory.hpp"
#include "cuda/atoms/batch/tensor_product.cuh"
#include "cuda/core/common/check.hpp"

namespace prophet::cuda::batch {
namespace {

/// A tile; each warp has 8 x 8 points of it, a lane two of them beside each other.
constexpr int kRows = kExchangeRows, kColumns = kExchangeColumns, kOwn = 8,
              kThreads = kRows / kOwn * (kColumns / kOwn) * 32;
/// Kernel `which` of (CrossKernel) x (pairs) of the whole Breit interaction.
__device__ inline const double* wholeBreitCentre(const View& v, int which) {
  const int pairs = v.shape.symmetries * (v.shape.symmetries + 1) / 2;
  return kernelCentre(v, pairs + 1 + kWholeBreit * kCrossKernels * pairs + which);
}

/// What a tile keeps in shared memory.
struct Tile {
  const double* kernel;   ///< exchangeKernels x window: entry i - j + kColumns - 1 of the tile
  const double* rows;     ///< orbital x (large 16, small 16), kOrbitalAtRows apart
  const double* columns;  ///< orbital x (large 32, small 32), kOrbitalAtColumns apart
  const double* occupations;
  int i0, j0;
};
constexpr int kWindow = kExchangeWindow;

/// Densities of one symmetry at a lane's two points; LL and SS only if `Lower`, SL only with Breit.
template <bool Lower, bool Breit>
struct Densities {
  double ll[Lower ? 2 : 1], ss[Lower ? 2 : 1], ls[2], sl[Breit ? 2 : 1];
};

/// Densities of orbitals first .. last - 1, four at a time: products of 8 x 4 rows and 4 x 8 columns. `rows`,
/// `columns`: of the warp's part of the tile.
template <bool Lower, bool Breit>
__device__ __forceinline__ void addOrbitals(const double* rows, const double* columns,
                                            const double* occupations, int first, int last,
                                            Densities<Lower, Breit>& d) {
  const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
  for (int from = first; from < last; from += 4) {
    const bool inside = from + t < last;
    const double *r = rows + (from + t) * kOrbitalAtRows + g,
                 *c = columns + (from + t) * kOrbitalAtColumns + g;
    const double n = inside ? occupations[from + t] : 0.0;
    const double rowLarge = inside ? n * r[0] : 0.0, columnSmall = inside ? c[kColumns] : 0.0;
    multiplyAddSmall(d.ls[0], d.ls[1], rowLarge, columnSmall);
    if constexpr (Lower || Breit) {
      const double rowSmall = inside ? n * r[kRows] : 0.0, columnLarge = inside ? c[0] : 0.0;
      if constexpr (Lower) multiplyAddSmall(d.ll[0], d.ll[1], rowLarge, columnLarge);
      if constexpr (Lower) multiplyAddSmall(d.ss[0], d.ss[1], rowSmall, columnSmall);
      if constexpr (Breit) multiplyAddSmall(d.sl[0], d.sl[1], rowSmall, columnLarge);
    }
  }
}

/// sum -= kernel times density at a lane's two points, for two kinds of density.
__device__ __forceinline__ void subtract(const double* kernel, const double (&density)[2], double (&sum)[2]) {
  sum[0] -= kernel[0] * density[0];
  sum[1] -= kernel[-1] * density[1];
}

/// Brackets of one symmetry at two points beside each other, (i, j) and (i, j + 1), into its three matrices.
/// LL and SS above the diagonal are zero.
template <bool Lower>
__device__ __forceinline__ void store(double* w, long long square, int i, int j, double local,
                                      const double (&ll)[2], const double (&ss)[2], const double (&ls)[2]) {
  *reinterpret_cast<double2*>(w + 2 * square) = make_double2(ls[0], ls[1]);
  if constexpr (Lower) {
    const double first = i == j ? 0.5 : i > j ? 1.0 : 0.0, second = i == j + 1 ? 0.5 : i > j ? 1.0 : 0.0;
    const double here = i == j ? local : 0.0, beside = i == j + 1 ? local : 0.0;
    *reinterpret_cast<double2*>(w) = make_double2(first * ll[0] + here, second * ll[1] + beside);
    *reinterpret_cast<double2*>(w + square) = make_double2(first * ss[0] + here, second * ss[1] + beside);
  }
}

/// The brackets of one warp, row i and columns j, j + 1 for each lane. `Lower`: whether its part of the tile
/// has elements on or below the diagonal, which LL and SS need.
template <int Symmetries, bool Breit, bool Lower>
__device__ __forceinline__ void brackets(const View& v, int slot, const Tile& tile, int row, int column) {
  constexpr int kPairs = Symmetries * (Symmetries + 1) / 2;
  const int points = v.shape.points, lane = threadIdx.x % 32;
  Densities<Lower, Breit> d[Symmetries];
#pragma unroll
  for (int b = 0; b < Symmetries; ++b) {
    d[b] = {};
    addOrbitals<Lower, Breit>(tile.rows + row, tile.columns + column, tile.occupations,
                              v.shape.firstOrbital[b], v.shape.firstOrbital[b + 1], d[b]);
  }
  row += lane / 4;
  column += 2 * (lane % 4);
  const int i = tile.i0 + row, j = tile.j0 + column;
  const long long square = static_cast<long long>(points) * points;
  const double local = 0.5 * slotPart(v.potential, slot, points)[i];
  double* out = slotPart(v.w, slot, 3 * square * Symmetries) + static_cast<long long>(i) * points + j;
  const double* window = tile.kernel + row - column + kColumns - 1;
  // One pointer goes from symmetry to symmetry: as many as there are symmetries would take the registers.
#pragma unroll 1
  for (int a = 0; a < Symmetries; ++a, out += 3 * square) {
    double ll[2] = {}, ss[2] = {}, ls[2] = {};
#pragma unroll
    for (int b = 0; b < Symmetries; ++b) {
      const double* g = window + pairOf(a, b) * kWindow;
      if constexpr (Lower) subtract(g, d[b].ll, ll);
      if constexpr (Lower) subtract(g, d[b].ss, ss);
      subtract(g, d[b].ls, ls);
      if constexpr (Breit) {
        const double* cross = window + (kPairs + pairOf(a, b)) * kWindow;
        if constexpr (Lower) subtract(cross + (a >= b ? kCrossLL : kCrossSS) * kPairs * kWindow, d[b].ss, ll);
        if constexpr (Lower) subtract(cross + (a >= b ? kCrossSS : kCrossLL) * kPairs * kWindow, d[b].ll, ss);
        subtract(cross + (a >= b ? kCrossMixed : kCrossTransposed) * kPairs * kWindow, d[b].sl, ls);
      }
    }
    store<Lower>(out, square, i, j, local, ll, ss, ls);
  }
}

/// Starts the copies of a slot's orbitals at the rows and columns of a tile, and of their occupations, and
/// closes the group. Points past the last are zero.
template <int Symmetries>
__device__ void loadOrbitals(const View& v, int slot, int i0, int j0, double* target) {
  const int points = v.shape.points, orbitals = v.shape.firstOrbital[Symmetries];
  double *rows = target, *columns = rows + orbitals * kOrbitalAtRows,
         *occupations = columns + orbitals * kOrbitalAtColumns;
  const double* psi = slotPart(v.orbitals, slot, 2LL * orbitals * points);
  const double* occupation = slotPart(v.input, slot, v.shape.inputSize) + v.shape.inOccupation;
  const auto component = [&](int which, int o) {
    return psi + static_cast<long long>(which * orbitals + o) * points;
  };
  for (int e = threadIdx.x; e < orbitals * 2 * kRows; e += kThreads) {
    const int o = e / (2 * kRows), at = e % (2 * kRows);
    __pipeline_memcpy_async(rows + o * kOrbitalAtRows + at, component(at / kRows, o) + i0 + at % kRows,
                            sizeof(double));
  }
  for (int e = threadIdx.x; e < orbitals * 2 * kColumns; e += kThreads) {
    const int o = e / (2 * kColumns), at = e % (2 * kColumns), j = j0 + at % kColumns;
    __pipeline_memcpy_async(columns + o * kOrbitalAtColumns + at,
                            component(at / kColumns, o) + (j < points ? j : 0), sizeof(double),
                            j < points ? 0 : sizeof(double));
  }
  for (int o = threadIdx.x; o < orbitals; o += kThreads)
    __pipeline_memcpy_async(occupations + o, occupation + o, sizeof(double));
  __pipeline_commit();
}

/// Blocks that share a multiprocessor where the registers suffice: one loads while others compute.
template <int Symmetries, bool Breit>
constexpr int blocksTogether() {
  return Breit || Symmetries > 7 ? 1 : 2;
}

/// Bracket of the Fock matrices on a tile of grid points (i, j) for all symmetries at once:
///   W_a(i,j) = - sum_b G_ab[i - j] D_b(i,j), D_b = sum_o n_o psi_o(i) psi_o(j)   (blocks LL, LS, SS),
/// with the potential on the diagonal. `Breit` adds the kernels that act on the density of the other
/// components: LL from SS, SS from LL, LS from SL. Densities of all symmetries stay in registers (that is why
/// their number is a template parameter), kernels and orbitals of the tile in shared memory; only the sums
/// are written. LL and SS are symmetric: only j <= i is written, half of it where i = j, so that the whole is
/// half + half^T, and parts above the 16-row strips that the projection reads leave them out. A block does
/// its tile for several slots: the kernels are the same for all.
template <int Symmetries, bool Breit>
__global__ void __launch_bounds__(kThreads, blocksTogether<Symmetries, Breit>()) exchangeTile(View v) {
  extern __shared__ __align__(16) double shared[];
  constexpr int kPairs = Symmetries * (Symmetries + 1) / 2, kKernels = exchangeKernels(Symmetries, Breit);
  const int points = v.shape.points, orbitals = v.shape.firstOrbital[Symmetries];
  const int columnTiles = (points + kColumns - 1) / kColumns;
  const int i0 = (blockIdx.x / columnTiles) * kRows, j0 = (blockIdx.x % columnTiles) * kColumns;
  const int warp = threadIdx.x / 32, row = warp / (kColumns / kOwn) * kOwn,
            column = warp % (kColumns / kOwn) * kOwn;
  // Two sets of orbitals: those of the next slot arrive while this one's are used.
  double* kernel = shared + 2 * orbitals * kTileOrbital;
  const auto orbitalsAt = [&](unsigned turn) { return shared + turn % 2 * orbitals * kTileOrbital; };

  for (int which = threadIdx.x / 32; which < kKernels; which += kThreads / 32) {
    const double* centre = which < kPairs ? kernelCentre(v, which) : wholeBreitCentre(v, which - kPairs);
    for (int e = threadIdx.x % 32; e < kWindow; e += 32) {
      const int m = i0 - j0 + e - (kColumns - 1);
      kernel[which * kWindow + e] = abs(m) < points ? centre[m] : 0.0;
    }
  }
  const auto slots = static_cast<unsigned>(v.count);
  loadOrbitals<Symmetries>(v, v.list[blockIdx.y], i0, j0, orbitalsAt(0));
  for (unsigned index = blockIdx.y, turn = 0; index < slots; index += gridDim.y, ++turn) {
    const unsigned next = index + gridDim.y;
    if (next < slots) loadOrbitals<Symmetries>(v, v.list[next], i0, j0, orbitalsAt(turn + 1));
    __pipeline_wait_prior(next < slots ? 1 : 0);
    __syncthreads();
    const double* rows = orbitalsAt(turn);
    const Tile tile{kernel,
                    rows,
                    rows + orbitals * kOrbitalAtRows,
                    rows + orbitals * (kOrbitalAtRows + kOrbitalAtColumns),
                    i0,
                    j0};
    if (j0 + column < i0 + kRows) {
      brackets<Symmetries, Breit, true>(v, v.list[index], tile, row, column);
    } else if (j0 + column < points) {
      brackets<Symmetries, Breit, false>(v, v.list[index], tile, row, column);
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
  const int bytes = bytesOf(exchangeDoubles(v.shape));
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
  if (v.shape.functional != 0) return;
  if (v.shape.breitInScf) {
    launchFor<true>(v, stream);
  } else {
    launchFor<false>(v, stream);
  }
}

}  // namespace prophet::cuda::batch
