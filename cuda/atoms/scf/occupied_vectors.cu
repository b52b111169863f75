#include "cuda/atoms/batch/eigenvalue_search.cuh"
#include "cuda/atoms/batch/shared_memory.hpp"
#include "cuda/atoms/scf/block_ldl.cuh"
#include "cuda/atoms/scf/scf_kernels.hpp"

/// Occupied eigenvectors of the padded Fock matrices, one block for each: of some hundred eigenvectors of a
/// symmetry one to six are wanted, and after the first iteration good approximations are known. The method is
/// that of cuda/atoms/batch/eigen_kernels.cu: Rayleigh quotient iteration, with factorisations L D L^T whose
/// pivots' signs count the eigenvalues below the shift, so that every result is known to be the eigenvector
/// of the wanted number; where it is not, bisection by that count isolates it. The small component comes
/// first in the elimination: it is negative definite, so that no pivot there is small. One calculation has
/// few eigenvectors and cannot wait, so that eight warps share a factorisation.
namespace prophet::cuda {
namespace {

constexpr int kWarps = kFactorWarps, kThreads = 32 * kWarps;
constexpr int kMaxBisections = 120, kMaxRefinements = 8;
/// Change of the vector after which the next error, cubic in it, is below rounding.
constexpr double kVectorTolerance = 1e-5;
/// Relative width of the isolating interval from which inverse iteration starts.
constexpr double kInterval = 0.02, kNarrower = 1e-3;

/// One symmetric matrix: dim x dim, of which `small` functions from `half` on and the first `size - small`
/// are in use. Elimination takes the small ones first.
struct Matrix {
  const double* f;
  int dim, half, small, size;
  __device__ int rowOf(int e) const { return e < small ? half + e : e - small; }
};

/// What the block's warps tell each other.
struct Notes {
  double sums[kWarps], moved;
  int negative, sound;
};

/// Factorises F - shift; returns the number of eigenvalues below the shift, to every thread.
template <int Slices>
__noinline__ __device__ int factoriseShifted(const Matrix& m, double shift, Notes& notes) {
  double* packed = packedTriangle();
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll 4
  for (int j = warp; j < m.size; j += kWarps) {
    const double* row = m.f + m.rowOf(j) * m.dim;
    double* column = packed + packedColumn(j, m.size);
#pragma unroll
    for (int s = 0; s < Slices; ++s) {
      const int i = lane + 32 * s;
      if (i >= j && i < m.size) column[i] = row[m.rowOf(i)] - (i == j ? shift : 0.0);
    }
  }
  const int negative = factoriseByBlock<Slices>(m.size);
  if (threadIdx.x == 0) notes.negative = negative;
  __syncthreads();
  return notes.negative;
}

/// `steps` of inverse iteration of the vector in shared memory with the last factorisation; notes say how far
/// the last one moved it and whether it is sound.
template <int Slices>
__noinline__ __device__ void iterate(int size, int steps, Notes& notes) {
  double* vector = vectorOf(size);
  const int lane = threadIdx.x % 32;
  __syncthreads();
  if (threadIdx.x < 32) {
    double x[Slices], old[Slices];
#pragma unroll
    for (int s = 0; s < Slices; ++s) x[s] = lane + 32 * s < size ? vector[lane + 32 * s] : 0.0;
    bool sound = true;
    for (int i = 0; i < steps && sound; ++i) {
#pragma unroll
      for (int s = 0; s < Slices; ++s) old[s] = x[s];
      solveByWarp<Slices>(size, x);
      sound = batch::normalise<Slices>(x);
    }
    const double moved = batch::distance<Slices>(x, old);
#pragma unroll
    for (int s = 0; s < Slices; ++s) {
      if (lane + 32 * s < size) vector[lane + 32 * s] = x[s];
    }
    if (lane == 0) {
      notes.moved = moved;
      notes.sound = sound;
    }
  }
  __syncthreads();
}

/// Rayleigh quotient of the vector in shared memory, of length 1.
template <int Slices>
__device__ double quotient(const Matrix& m, Notes& notes) {
  const double* x = vectorOf(m.size);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  double sum = 0.0;
#pragma unroll 4
  for (int j = warp; j < m.size; j += kWarps) {
    const double* row = m.f + m.rowOf(j) * m.dim;
    double own = 0.0;
#pragma unroll
    for (int s = 0; s < Slices; ++s) {
      const int i = lane + 32 * s;
      if (i < m.size) own += row[m.rowOf(i)] * x[i];
    }
    sum += x[j] * own;
  }
  sum = batch::warpSum(sum);
  __syncthreads();
  if (lane == 0) notes.sums[warp] = sum;
  __syncthreads();
  sum = 0.0;
  for (const double part : notes.sums) sum += part;
  return sum;
}

/// Rayleigh quotient iteration from the vector in shared memory; true if it ended at eigenvalue number
/// `wanted` (from 0).
template <int Slices>
__device__ bool refine(const Matrix& m, int wanted, Notes& notes) {
  double value = quotient<Slices>(m, notes);
  for (int step = 0; step < kMaxRefinements; ++step) {
    const double shift = value;
    const int below = factoriseShifted<Slices>(m, shift, notes);
    if (below != wanted && below != wanted + 1) return false;
    iterate<Slices>(m.size, 1, notes);
    if (!notes.sound) return false;
    const bool arrived = notes.moved < kVectorTolerance;
    value = quotient<Slices>(m, notes);
    if (!arrived) continue;
    const double margin = 1e-8 * fmax(1.0, fabs(value));
    return below == wanted ? value > shift - margin : value < shift + margin;
  }
  return false;
}

/// Isolates eigenvalue number `wanted` to a relative width and starts near its eigenvector.
template <int Slices>
__device__ bool isolate(const Matrix& m, int wanted, double width, Notes& notes) {
  double low = -2e4, high = -1e-3;
  const auto countBelow = [&](double shift) { return factoriseShifted<Slices>(m, shift, notes); };
  int below = countBelow(low), upTo = countBelow(high), step = 0;
  for (; below > wanted && step < kMaxBisections; ++step) below = countBelow(low *= 2.0);
  for (; upTo <= wanted && step < kMaxBisections; ++step)
    upTo = countBelow(high = high < 0.0 ? 10.0 : 4.0 * high);
  for (; step < kMaxBisections; ++step) {
    // Bound eigenvalues spread over orders of magnitude: halve their logarithms.
    const double middle = high < 0.0 ? -sqrt(low * high) : 0.5 * (low + high);
    const bool alone = below == wanted && upTo == wanted + 1;
    if (alone && high - low < width * fmax(fabs(middle), 1e-3)) break;
    const int found = countBelow(middle);
    if (found <= wanted) {
      low = middle;
      below = found;
    } else {
      high = middle;
      upTo = found;
    }
  }
  countBelow(0.5 * (low + high));
  for (int row = threadIdx.x; row < m.size; row += kThreads) vectorOf(m.size)[row] = batch::startEntry(row);
  iterate<Slices>(m.size, 3, notes);
  return notes.sound;
}

/// One block for each (spinor, symmetry). Vectors are replaced.
template <int Slices>
__global__ void __launch_bounds__(kThreads)
    occupiedKernel(ScfShape shape, const SymmetryData* data, const double* matrices, bool known,
                   double* coefficients, int* failures) {
  __shared__ Notes notes;
  const int o = blockIdx.x, a = blockIdx.y;
  const SymmetryData s = data[a];
  if (o >= s.occupied) return;
  const Matrix m{matrices + a * shape.matrix(), shape.dim(), shape.half, s.small, s.small + s.large};
  double *out = coefficients + a * shape.block() + o * shape.dim(), *vector = vectorOf(m.size);
  const int wanted = s.small + o;
  for (int i = threadIdx.x; known && i < m.size; i += kThreads) vector[i] = out[m.rowOf(i)];
  __syncthreads();
  bool found = known && refine<Slices>(m, wanted, notes);
  // From ever narrower intervals, where what is known of the eigenvector does not lead to it.
  for (double width = kInterval; !found && width > 1e-9; width *= kNarrower)
    found = isolate<Slices>(m, wanted, width, notes) && refine<Slices>(m, wanted, notes);
  if (!found && threadIdx.x == 0) atomicAdd(failures, 1);
  for (int i = threadIdx.x; i < m.dim; i += kThreads) out[i] = 0.0;
  __syncthreads();
  for (int i = threadIdx.x; i < m.size; i += kThreads) out[m.rowOf(i)] = vector[i];
}

std::size_t sharedBytes(const ScfShape& shape) {
  return (batch::packedDoubles(shape.dim()) + shape.dim()) * sizeof(double);
}

template <int Slices>
void launch(const ScfShape& shape, const SymmetryData* data, const double* matrices, bool known,
            double* coefficients, int* failures, cudaStream_t stream) {
  const int bytes = static_cast<int>(sharedBytes(shape));
  batch::allowSharedMemory(occupiedKernel<Slices>, bytes);
  const dim3 grid(shape.columns, shape.symmetries);
  occupiedKernel<Slices>
      <<<grid, kThreads, bytes, stream>>>(shape, data, matrices, known, coefficients, failures);
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
         sharedBytes(shape) + sizeof(Notes) <= static_cast<std::size_t>(limit);
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
