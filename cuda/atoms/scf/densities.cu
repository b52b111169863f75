#include "atoms/integrals/pair_index.hpp"
#include "cuda/atoms/scf/scf_kernels.hpp"
#include "cuda/core/common/launch.hpp"

/// Occupied spinors, densities and vectors over pairs. All of it is small (some ten thousand numbers): one
/// thread for one number.
namespace prophet::cuda {
namespace {

constexpr int kThreads = 128;
constexpr int kComponents = 4;

__global__ void pickKernel(ScfShape shape, const SymmetryData* data, const double* vectors,
                           double* coefficients) {
  const SymmetryData s = data[blockIdx.y];
  const int i = blockIdx.x * kThreads + threadIdx.x, dim = shape.dim();
  if (i >= shape.block()) return;
  const int column = i / dim;
  coefficients[blockIdx.y * shape.block() + i] =
      column < s.occupied ? vectors[blockIdx.y * shape.matrix() + s.small * dim + i] : 0.0;
}

__global__ void densityKernel(ScfShape shape, const double* coefficients, const double* occupations,
                              double* density) {
  const int i = blockIdx.x * kThreads + threadIdx.x, dim = shape.dim();
  if (i >= shape.matrix()) return;
  const double* c = coefficients + blockIdx.y * shape.block();
  const double* n = occupations + blockIdx.y * shape.columns;
  double sum = 0.0;
  for (int k = 0; k < shape.columns; ++k) sum += n[k] * c[k * dim + i % dim] * c[k * dim + i / dim];
  density[blockIdx.y * shape.matrix() + i] = sum;
}

/// Weighted products of the large and small parts of functions p and q, summed over spinors [first, end).
__device__ void packPair(const ScfShape& shape, const double* c, const double* n, int first, int end, int p,
                         int q, double* out) {
  const int dim = shape.dim(), half = shape.half;
  double ll = 0.0, ss = 0.0, ls = 0.0, sl = 0.0;
  for (int k = first; k < end; ++k) {
    const double* v = c + k * dim;
    ll += n[k] * v[p] * v[q];
    ss += n[k] * v[half + p] * v[half + q];
    ls += n[k] * v[p] * v[half + q];
    sl += n[k] * v[q] * v[half + p];
  }
  const double both = p == q ? 1.0 : 2.0;
  out[0] = both * ll;
  out[1] = both * ss;
  out[2] = ls;
  out[3] = p == q ? 0.0 : sl;
}

__global__ void packKernel(ScfShape shape, const SymmetryData* data, const double* coefficients,
                           const double* occupations, double* total, double* open) {
  const SymmetryData s = data[blockIdx.y];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= triangle(s.functions)) return;
  const int p = lastTriangleNotAbove(i, s.functions), q = i - p * (p + 1) / 2;
  const double* c = coefficients + blockIdx.y * shape.block();
  const double* n = occupations + blockIdx.y * shape.columns;
  packPair(shape, c, n, 0, s.occupied, p, q, total + kComponents * (s.firstPair + i));
  if (open) packPair(shape, c, n, s.closed, s.occupied, p, q, open + kComponents * (s.firstPair + i));
}

__global__ void unpackKernel(ScfShape shape, const SymmetryData* data, const double* pairs,
                             double* matrices) {
  const SymmetryData s = data[blockIdx.y];
  const int i = blockIdx.x * kThreads + threadIdx.x, dim = shape.dim(), half = shape.half;
  if (i >= triangle(s.functions)) return;
  const int p = lastTriangleNotAbove(i, s.functions), q = i - p * (p + 1) / 2;
  const double* v = pairs + kComponents * (s.firstPair + i);
  double* m = matrices + blockIdx.y * shape.matrix();
  m[p + q * dim] = m[q + p * dim] = v[0];
  m[half + p + (half + q) * dim] = m[half + q + (half + p) * dim] = v[1];
  if (p != q) m[q + (half + p) * dim] = m[half + p + q * dim] = v[3];
  m[p + (half + q) * dim] = m[half + q + p * dim] = v[2];
}

dim3 gridOf(const ScfShape& shape, std::int64_t count) {
  return dim3(static_cast<unsigned>((count + kThreads - 1) / kThreads), shape.symmetries);
}

}  // namespace

void pickOccupied(const ScfShape& shape, const SymmetryData* data, const double* vectors,
                  double* coefficients, cudaStream_t stream) {
  pickKernel<<<gridOf(shape, shape.block()), kThreads, 0, stream>>>(shape, data, vectors, coefficients);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void makeDensities(const ScfShape& shape, const double* coefficients, const double* occupations,
                   double* density, cudaStream_t stream) {
  densityKernel<<<gridOf(shape, shape.matrix()), kThreads, 0, stream>>>(shape, coefficients, occupations,
                                                                        density);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void packDensities(const ScfShape& shape, const SymmetryData* data, const double* coefficients,
                   const double* occupations, double* total, double* open, cudaStream_t stream) {
  packKernel<<<gridOf(shape, triangle(shape.half)), kThreads, 0, stream>>>(shape, data, coefficients,
                                                                           occupations, total, open);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void unpackPairs(const ScfShape& shape, const SymmetryData* data, const double* pairs, double* matrices,
                 cudaStream_t stream) {
  unpackKernel<<<gridOf(shape, triangle(shape.half)), kThreads, 0, stream>>>(shape, data, pairs, matrices);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
