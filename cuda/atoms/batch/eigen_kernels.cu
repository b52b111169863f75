#include "cuda/atoms/batch/block_memory.hpp"
#include "cuda/atoms/batch/device_helpers.cuh"
#include "cuda/atoms/batch/eigenvalue_search.cuh"
#include "cuda/atoms/batch/kernels.hpp"
#include "cuda/atoms/batch/shared_memory.hpp"
#include "cuda/core/common/check.hpp"

/// Occupied eigenvectors, one warp for each. Of some 60 eigenvectors of a symmetry one to six are wanted, and
/// after the first iteration good approximations are known: Rayleigh quotient iteration, which triples the
/// digits with every factorisation, needs one or two factorisations, where a full diagonalisation costs as
/// much as thirty. The pivots' signs count the eigenvalues below the shift, so that every result is known to
/// be the eigenvector of the wanted number; where it is not, bisection by that count isolates it. The guess
/// begins at semiclassical estimates of the eigenvalues (level_kernels.cu). The small component comes first
/// in the elimination: it is negative definite, so that no pivot there is small.
namespace prophet::cuda::batch {
namespace {

constexpr int kMaxBisections = 120, kMaxRefinements = 8;
/// Change of the vector after which the next error, cubic in it, is below rounding.
constexpr double kVectorTolerance = 1e-5;
/// Relative width of the isolating interval from which inverse iteration starts.
constexpr double kInterval = 0.02, kNarrower = 1e-3;

/// Row of F for a row in elimination order, of `count` functions of each component padded to n.
__device__ inline int rowInF(int e, int n, int count) { return e < count ? n + e : e - count; }

/// The packed triangle. Every function names it itself: through a pointer the compiler would not know that it
/// is in shared memory, and reads would take twice as long.
__device__ inline double* packedTriangle() {
  extern __shared__ __align__(16) double triangle[];
  return triangle;
}

/// Factorises F - shift (F: row-major, 2n x 2n); returns the number of eigenvalues of F below the shift. Not
/// inlined: the unrolled code is long.
template <int Slices>
__noinline__ __device__ int factoriseShifted(const double* __restrict__ f, int n, int count, double shift) {
  double* packed = packedTriangle();
  const int lane = threadIdx.x % 32, size = 2 * count;
  __syncwarp();
  // Some rows are read before the first of them is stored: the reads wait together.
  constexpr int kAhead = Slices <= 2 ? 8 : Slices <= 4 ? 4 : 2;
  for (int first = 0; first < size; first += kAhead) {
    double ahead[kAhead][Slices];
#pragma unroll
    for (int t = 0; t < kAhead; ++t) {
      const double* row = f + static_cast<long long>(rowInF(first + t, n, count)) * 2 * n;
#pragma unroll
      for (int s = 0; s < Slices; ++s) {
        const int i = lane + 32 * s;
        ahead[t][s] = i >= first + t && i < size ? row[rowInF(i, n, count)] : 0.0;
      }
    }
#pragma unroll
    for (int t = 0; t < kAhead; ++t) {
      const int j = first + t, column = packedColumn(j, size);
#pragma unroll
      for (int s = 0; s < Slices; ++s) {
        const int i = lane + 32 * s;
        if (i >= j && i < size) packed[column + i] = ahead[t][s] - (i == j ? shift : 0.0);
      }
    }
  }
  __syncwarp();
  return factorise<Slices>(packed, size);
}

/// One symmetric matrix F (row-major, 2n x 2n with `count` functions of each component in use).
template <int Slices>
struct Problem {
  const double* f;
  int n, count, size;

  __device__ int rowOf(int e) const { return rowInF(e, n, count); }
  __device__ int factoriseAt(double shift) const { return factoriseShifted<Slices>(f, n, count, shift); }

  /// Rayleigh quotient of a vector of length 1.
  __device__ double quotient(const double (&x)[Slices]) const {
    const int lane = threadIdx.x % 32;
    double sum = 0.0, own[Slices] = {};
#pragma unroll 8
    for (int j = 0; j < size; ++j) {
      double mine = 0.0;
#pragma unroll
      for (int s = 0; s < Slices; ++s) {
        if (j / 32 == s) mine = x[s];
      }
      const double xj = __shfl_sync(0xffffffffu, mine, j % 32);
      const double* row = f + static_cast<long long>(rowOf(j)) * 2 * n;
#pragma unroll
      for (int s = 0; s < Slices; ++s) {
        const int i = lane + 32 * s;
        if (i < size) own[s] += row[rowOf(i)] * xj;
      }
    }
#pragma unroll
    for (int s = 0; s < Slices; ++s) sum += x[s] * own[s];
    return warpSum(sum);
  }
};

/// Rayleigh quotient iteration from x; true if it ended at eigenvalue number `wanted` (from 0).
template <int Slices>
__device__ bool refine(const Problem<Slices>& problem, int wanted, double (&x)[Slices]) {
  double value = problem.quotient(x);
  for (int step = 0; step < kMaxRefinements; ++step) {
    const double shift = value;
    const int below = problem.factoriseAt(shift);
    if (below != wanted && below != wanted + 1) return false;
    double old[Slices];
#pragma unroll
    for (int s = 0; s < Slices; ++s) old[s] = x[s];
    solveFactorised<Slices>(packedTriangle(), problem.size, x);
    if (!normalise<Slices>(x)) return false;
    value = problem.quotient(x);
    if (!(distance<Slices>(x, old) < kVectorTolerance)) continue;
    const double margin = 1e-8 * fmax(1.0, fabs(value));
    return below == wanted ? value > shift - margin : value < shift + margin;
  }
  return false;
}

/// Inverse iteration at the shift of the last factorisation.
template <int Slices>
__device__ bool iterate(const Problem<Slices>& problem, int steps, double (&x)[Slices]) {
#pragma unroll
  for (int s = 0; s < Slices; ++s) {
    const int row = threadIdx.x % 32 + 32 * s;
    x[s] = row < problem.size ? startEntry(row) : 0.0;
  }
  for (int i = 0; i < steps; ++i) {
    solveFactorised<Slices>(packedTriangle(), problem.size, x);
    if (!normalise<Slices>(x)) return false;
  }
  return true;
}

/// Starts x near the eigenvector whose eigenvalue is estimated (negative; 0: there is no estimate). The
/// estimate is mostly within 5 %, other eigenvalues are further away than 30 %: five steps leave about 1e-5.
template <int Slices>
__device__ bool approach(const Problem<Slices>& problem, int wanted, double estimate, double (&x)[Slices]) {
  if (!(estimate < 0.0)) return false;
  const int below = problem.factoriseAt(estimate);
  return (below == wanted || below == wanted + 1) && iterate<Slices>(problem, 5, x);
}

/// Isolates eigenvalue number `wanted` to a relative width and starts x near its eigenvector.
template <int Slices>
__device__ bool isolate(const Problem<Slices>& problem, int wanted, double width, double (&x)[Slices]) {
  double low = -2e4, high = -1e-3;
  int below = problem.factoriseAt(low), upTo = problem.factoriseAt(high);
  int step = 0;
  for (; below > wanted && step < kMaxBisections; ++step) below = problem.factoriseAt(low *= 2.0);
  for (; upTo <= wanted && step < kMaxBisections; ++step)
    upTo = problem.factoriseAt(high = high < 0.0 ? 10.0 : 4.0 * high);
  double middle = 0.0;
  for (; step < kMaxBisections; ++step) {
    // Bound eigenvalues spread over orders of magnitude: halve their logarithms.
    middle = high < 0.0 ? -sqrt(low * high) : 0.5 * (low + high);
    const bool alone = below == wanted && upTo == wanted + 1;
    if (alone && high - low < width * fmax(fabs(middle), 1e-3)) break;
    const int found = problem.factoriseAt(middle);
    if (found <= wanted) {
      low = middle;
      below = found;
    } else {
      high = middle;
      upTo = found;
    }
  }
  problem.factoriseAt(0.5 * (low + high));
  return iterate<Slices>(problem, 3, x);
}

/// One warp a block, one block for each (slot, spinor) of symmetry a. Shared memory: the packed triangle.
template <int Slices>
__global__ void eigenvectors(View v, int a, bool guess) {
  const int spinors = v.shape.m[a], slot = v.list[blockIdx.x / spinors], o = blockIdx.x % spinors;
  const int n = v.shape.n[a], lane = threadIdx.x;
  const double* input = slotPart(v.input, slot, v.shape.inputSize);
  const int count = static_cast<int>(symmetryInput(v, input, a, kFunctions));
  const Problem<Slices> problem{slotPart(v.mixed, slot, v.shape.matrixSize) + v.shape.matrix[a], n, count,
                                2 * count};
  const int offset = v.shape.coefficients[a] + o * 2 * n;
  double* out =
      slotPart(v.coefficients[guess ? v.current : 1 - v.current], slot, v.shape.coefficientSize) + offset;
  const double* start = slotPart(v.coefficients[v.current], slot, v.shape.coefficientSize) + offset;
  const int wanted = count + o;
  // A slot that has failed holds anything; a search for its eigenvectors would hold up the others.
  const int status = __shfl_sync(0xffffffffu, v.state[slot].status, 0);
  if (status != static_cast<int>(SlotStatus::Active)) return;
  double x[Slices];
  if (!guess) {
#pragma unroll
    for (int s = 0; s < Slices; ++s)
      x[s] = lane + 32 * s < problem.size ? start[problem.rowOf(lane + 32 * s)] : 0.0;
  }
  const double estimate =
      slotPart(v.energies, slot, v.shape.firstOrbital[v.shape.symmetries])[v.shape.firstOrbital[a] + o];
  bool found = false;
  // First from what is known of the eigenvector, then from ever narrower intervals.
  for (double width = kInterval / kNarrower; !found && width > 1e-9; width *= kNarrower) {
    const bool first = width > kInterval;
    const bool near = !first ? isolate<Slices>(problem, wanted, width, x)
                             : !guess || approach<Slices>(problem, wanted, estimate, x);
    found = near && refine<Slices>(problem, wanted, x);
  }
  if (!found && lane == 0 && v.state[slot].status == 0)
    v.state[slot].status = static_cast<int>(SlotStatus::EigenFailed);
  for (int i = lane; i < 2 * n; i += 32) out[i] = 0.0;
  __syncwarp();
#pragma unroll
  for (int s = 0; s < Slices; ++s) {
    if (lane + 32 * s < problem.size) out[problem.rowOf(lane + 32 * s)] = x[s];
  }
}

template <int Slices>
void launch(const View& v, int a, bool guess, cudaStream_t stream) {
  const int size = 2 * v.shape.n[a];
  const int bytes = bytesOf(packedDoubles(size));
  allowSharedMemory(eigenvectors<Slices>, bytes);
  eigenvectors<Slices><<<static_cast<unsigned>(v.count * v.shape.m[a]), 32, bytes, stream>>>(v, a, guess);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace

void launchEigenvectors(const View& v, bool guess, cudaStream_t stream, const SideStreams& side) {
  const int others = v.shape.symmetries - 1;
  side.fork(stream, others);
  for (int a = 0; a < v.shape.symmetries; ++a) {
    if (v.shape.m[a] == 0) continue;
    const cudaStream_t own = a == 0 ? stream : side[a - 1];
    switch ((2 * v.shape.n[a] + 31) / 32) {
      case 1:
        launch<1>(v, a, guess, own);
        break;
      case 2:
        launch<2>(v, a, guess, own);
        break;
      case 3:
        launch<3>(v, a, guess, own);
        break;
      case 4:
        launch<4>(v, a, guess, own);
        break;
      default:
        launch<7>(v, a, guess, own);
        break;
    }
  }
  side.join(stream, others);
}

}  // namespace prophet::cuda::batch
