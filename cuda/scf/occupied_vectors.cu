#include "cuda/batch/packed_ldl.cuh"
#include "cuda/batch/shared_memory.hpp"
#include "cuda/scf/scf_kernels.hpp"

/// Occupied eigenvectors of the padded Fock matrices, one warp for each: of some hundred eigenvectors of a
/// symmetry one to six are wanted, and after the first iteration good approximations are known. The method is
/// that of cuda/batch/eigen_kernels.cu: Rayleigh quotient iteration with the factorisation of
/// cuda/batch/packed_ldl.cuh, whose pivots' signs count the eigenvalues below the shift, so that every result
/// is known to be the eigenvector of the wanted number; where it is not, bisection by that count isolates it.
/// The small component comes first in the elimination: it is negative definite, so that no pivot there is
/// small.
namespace prophet::cuda {
namespace {

using batch::factorise;
using batch::normalise;
using batch::packedColumn;
using batch::packedDoubles;
using batch::solveFactorised;
using batch::warpSum;

constexpr int kMaxBisections = 120, kMaxRefinements = 8;
/// Change of the vector after which the next error, cubic in it, is below rounding.
constexpr double kVectorTolerance = 1e-5;
/// Relative width of the isolating interval from which inverse iteration starts.
constexpr double kInterval = 0.02, kNarrower = 1e-3;

/// One symmetric matrix: dim x dim, of which `small` functions from `half` on and the first `size - small` are
/// in use. Elimination takes the small ones first.
struct Matrix {
  const double* f;
  int dim, half, small, size;
  __device__ int rowOf(int e) const { return e < small ? half + e : e - small; }
};

/// The packed triangle, in shared memory; named so that the compiler knows that.
__device__ inline double* packedTriangle() {
  extern __shared__ __align__(16) double triangleOfShared[];
  return triangleOfShared;
}

/// Factorises F - shift; returns the number of eigenvalues below the shift. Not inlined: the unrolled code is
/// long.
template <int Slices>
__noinline__ __device__ int factoriseShifted(const Matrix& m, double shift) {
  double* packed = packedTriangle();
  const int lane = threadIdx.x % 32;
  __syncwarp();
  // Some rows are read before the first of them is stored: the reads wait together.
  constexpr int kAhead = Slices <= 2 ? 8 : Slices <= 4 ? 4 : 2;
  for (int first = 0; first < m.size; first += kAhead) {
    double ahead[kAhead][Slices];
#pragma unroll
    for (int t = 0; t < kAhead; ++t) {
      const double* row = m.f + m.rowOf(min(first + t, m.size - 1)) * m.dim;
#pragma unroll
      for (int s = 0; s < Slices; ++s) {
        const int i = lane + 32 * s;
        ahead[t][s] = i >= first + t && i < m.size ? row[m.rowOf(i)] : 0.0;
      }
    }
#pragma unroll
    for (int t = 0; t < kAhead; ++t) {
      const int j = first + t, column = packedColumn(j, m.size);
#pragma unroll
      for (int s = 0; s < Slices; ++s) {
        const int i = lane + 32 * s;
        if (i >= j && i < m.size) packed[column + i] = ahead[t][s] - (i == j ? shift : 0.0);
      }
    }
  }
  __syncwarp();
  return factorise<Slices>(packed, m.size);
}

/// Rayleigh quotient of a vector of length 1, whose rows the lanes hold.
template <int Slices>
__device__ double quotient(const Matrix& m, const double (&x)[Slices]) {
  const int lane = threadIdx.x % 32;
  double sum = 0.0, own[Slices] = {};
#pragma unroll 8
  for (int j = 0; j < m.size; ++j) {
    const double xj = batch::entryOf<Slices>(x, j);
    const double* row = m.f + m.rowOf(j) * m.dim;
#pragma unroll
    for (int s = 0; s < Slices; ++s) {
      const int i = lane + 32 * s;
      if (i < m.size) own[s] += row[m.rowOf(i)] * xj;
    }
  }
#pragma unroll
  for (int s = 0; s < Slices; ++s) sum += x[s] * own[s];
  return warpSum(sum);
}

/// Distance of two vectors of length 1, whatever their signs.
template <int Slices>
__device__ double distance(const double (&x)[Slices], const double (&y)[Slices]) {
  double dot = 0.0, sum = 0.0;
#pragma unroll
  for (int s = 0; s < Slices; ++s) dot += x[s] * y[s];
  const double sign = warpSum(dot) < 0.0 ? -1.0 : 1.0;
#pragma unroll
  for (int s = 0; s < Slices; ++s) sum += (x[s] - sign * y[s]) * (x[s] - sign * y[s]);
  return sqrt(warpSum(sum));
}

/// Rayleigh quotient iteration from x; true if it ended at eigenvalue number `wanted` (from 0).
template <int Slices>
__device__ bool refine(const Matrix& m, int wanted, double (&x)[Slices]) {
  double value = quotient<Slices>(m, x);
  for (int step = 0; step < kMaxRefinements; ++step) {
    const double shift = value;
    const int below = factoriseShifted<Slices>(m, shift);
    if (below != wanted && below != wanted + 1) return false;
    double old[Slices];
#pragma unroll
    for (int s = 0; s < Slices; ++s) old[s] = x[s];
    solveFactorised<Slices>(packedTriangle(), m.size, x);
    if (!normalise<Slices>(x)) return false;
    value = quotient<Slices>(m, x);
    if (!(distance<Slices>(x, old) < kVectorTolerance)) continue;
    const double margin = 1e-8 * fmax(1.0, fabs(value));
    return below == wanted ? value > shift - margin : value < shift + margin;
  }
  return false;
}

/// Inverse iteration at the shift of the last factorisation.
template <int Slices>
__device__ bool iterate(const Matrix& m, double (&x)[Slices]) {
  constexpr int kSteps = 3;
#pragma unroll
  for (int s = 0; s < Slices; ++s) {
    const int row = threadIdx.x % 32 + 32 * s;
    // Any vector that is orthogonal to no eigenvector will do.
    x[s] = row < m.size ? 1.0 + 0.25 * ((row * 37) % 11) - 0.4 * ((row * 23) % 7) : 0.0;
  }
  for (int i = 0; i < kSteps; ++i) {
    solveFactorised<Slices>(packedTriangle(), m.size, x);
    if (!normalise<Slices>(x)) return false;
  }
  return true;
}

/// Isolates eigenvalue number `wanted` to a relative width and starts x near its eigenvector.
template <int Slices>
__device__ bool isolate(const Matrix& m, int wanted, double width, double (&x)[Slices]) {
  double low = -2e4, high = -1e-3;
  int below = factoriseShifted<Slices>(m, low), upTo = factoriseShifted<Slices>(m, high);
  int step = 0;
  for (; below > wanted && step < kMaxBisections; ++step) below = factoriseShifted<Slices>(m, low *= 2.0);
  for (; upTo <= wanted && step < kMaxBisections; ++step)
    upTo = factoriseShifted<Slices>(m, high = high < 0.0 ? 10.0 : 4.0 * high);
  for (; step < kMaxBisections; ++step) {
    // Bound eigenvalues spread over orders of magnitude: halve their logarithms.
    const double middle = high < 0.0 ? -sqrt(low * high) : 0.5 * (low + high);
    const bool alone = below == wanted && upTo == wanted + 1;
    if (alone && high - low < width * fmax(fabs(middle), 1e-3)) break;
    const int found = factoriseShifted<Slices>(m, middle);
    if (found <= wanted) {
      low = middle;
      below = found;
    } else {
      high = middle;
      upTo = found;
    }
  }
  factoriseShifted<Slices>(m, 0.5 * (low + high));
  return iterate<Slices>(m, x);
}

/// One block of one warp for each (spinor, symmetry). Shared memory: the packed triangle. Vectors are replaced.
template <int Slices>
__global__ void __launch_bounds__(32)
    occupiedKernel(ScfShape shape, const SymmetryData* data, const double* matrices, bool known,
                   double* coefficients, int* failures) {
  const int o = blockIdx.x, a = blockIdx.y, lane = threadIdx.x;
  const SymmetryData s = data[a];
  if (o >= s.occupied) return;
  const Matrix m{matrices + a * shape.matrix(), shape.dim(), shape.half, s.small, s.small + s.large};
  double* vector = coefficients + a * shape.block() + o * shape.dim();
  const int wanted = s.small + o;
  double x[Slices];
#pragma unroll
  for (int i = 0; i < Slices; ++i)
    x[i] = known && lane + 32 * i < m.size ? vector[m.rowOf(lane + 32 * i)] : 0.0;
  bool found = known && refine<Slices>(m, wanted, x);
  // From ever narrower intervals, where what is known of the eigenvector does not lead to it.
  for (double width = kInterval; !found && width > 1e-9; width *= kNarrower)
    found = isolate<Slices>(m, wanted, width, x) && refine<Slices>(m, wanted, x);
  if (!found && lane == 0) atomicAdd(failures, 1);
  for (int i = lane; i < m.dim; i += 32) vector[i] = 0.0;
  __syncwarp();
#pragma unroll
  for (int i = 0; i < Slices; ++i) {
    if (lane + 32 * i < m.size) vector[m.rowOf(lane + 32 * i)] = x[i];
  }
}

template <int Slices>
void launch(const ScfShape& shape, const SymmetryData* data, const double* matrices, bool known,
            double* coefficients, int* failures, cudaStream_t stream) {
  const int bytes = packedDoubles(shape.dim()) * static_cast<int>(sizeof(double));
  batch::allowSharedMemory(occupiedKernel<Slices>, bytes);
  const dim3 grid(shape.columns, shape.symmetries);
  occupiedKernel<Slices><<<grid, 32, bytes, stream>>>(shape, data, matrices, known, coefficients, failures);
  PROPHET_CUDA_CHECK_LAUNCH();
}

/// Slices of the largest instance.
constexpr int kMostSlices = 7;

}  // namespace

bool canFindOccupied(const ScfShape& shape) {
  int device = 0, limit = 0;
  PROPHET_CUDA_CHECK(cudaGetDevice(&device));
  PROPHET_CUDA_CHECK(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return shape.dim() <= 32 * kMostSlices &&
         packedDoubles(shape.dim()) * sizeof(double) <= static_cast<std::size_t>(limit);
}

void findOccupied(const ScfShape& shape, const SymmetryData* data, const double* matrices, bool known,
                  double* coefficients, int* failures, cudaStream_t stream) {
  switch ((shape.dim() + 31) / 32) {
    case 1:
    case 2:
      return launch<2>(shape, data, matrices, known, coefficients, failures, stream);
    case 3:
      return launch<3>(shape, data, matrices, known, coefficients, failures, stream);
    case 4:
      return launch<4>(shape, data, matrices, known, coefficients, failures, stream);
    default:
      return launch<kMostSlices>(shape, data, matrices, known, coefficients, failures, stream);
  }
}

}  // namespace prophet::cuda
