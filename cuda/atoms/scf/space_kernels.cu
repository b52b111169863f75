#include "atoms/integrals/radial.hpp"
#include "cuda/atoms/batch/shared_memory.hpp"
#include "cuda/atoms/scf/space_kernels.hpp"
#include "cuda/core/common/small_cholesky.cuh"

/// Orthonormal functions, one-electron Hamiltonian and guess, as makeSymmetrySpace and guessScreening on the
/// host.
namespace prophet::cuda {
namespace {

constexpr int kThreads = 256;

dim3 gridOf(const ScfShape& shape, std::int64_t count) {
  return dim3(static_cast<unsigned>((count + kThreads - 1) / kThreads), shape.symmetries);
}

/// X = U^-1 of one component (blockIdx.y) of a symmetry, S = U^T U; U itself of the small component.
__global__ void __launch_bounds__(kThreads)
    orthonormaliseKernel(ScfShape shape, const OneElectronBlock* blocks, const double* oneElectron,
                         double* space, double* dual, double* norms) {
  extern __shared__ double u[];
  __shared__ double scratch[32];
  const int a = blockIdx.x, component = blockIdx.y, dim = shape.dim(), half = shape.half;
  const OneElectronBlock block = blocks[a];
  const int n = block.functions, offset = component * half;
  const double* overlap = oneElectron + block.out + component * n * n;
  for (int e = threadIdx.x; e < n * n; e += kThreads) u[e] = overlap[e];
  __syncthreads();
  const bool positive = cholesky(u, n);
  double* x = space + a * shape.matrix() + static_cast<std::int64_t>(offset) * dim + offset;
  const double norm = positive ? invert(u, n, x, 1, dim, scratch) : INFINITY;
  if (threadIdx.x == 0) norms[2 * a + component] = norm;
  if (!positive || component == 0) return;
  for (int e = threadIdx.x; e < n * n; e += kThreads) {
    const int m = e % n, k = e / n;
    dual[a * half * half + k * half + m] = m <= k ? u[m * n + k] : 0.0;
  }
}

/// Nuclear attraction over primitives into padded matrices, whose other elements are zero already.
__global__ void attractionKernel(ScfShape shape, const OneElectronBlock* blocks, const double* oneElectron,
                                 double* matrices) {
  const OneElectronBlock block = blocks[blockIdx.y];
  const int n = block.functions, e = blockIdx.x * kThreads + threadIdx.x, dim = shape.dim(),
            half = shape.half;
  if (e >= n * n) return;
  const int p = e % n, q = e / n;
  const double* source = oneElectron + block.out + e;
  double* m = matrices + blockIdx.y * shape.matrix();
  m[p + q * dim] = source[2 * n * n];
  m[half + p + (half + q) * dim] = source[3 * n * n];
}

/// c (d/dr + kappa/r): row m small, column n large.
__device__ double kinetic(const ScfShape& shape, const OneElectronBlock& block, const Primitive* primitives,
                          const double* dual, const double* x, double c, int m, int n) {
  double sum = 0.0;
  for (int k = 0; k < block.functions; ++k) {
    const double balance = sqrt((2 * block.l + 3) * primitives[block.first + k].zeta);
    sum += dual[k * shape.half + m] * (c * balance * x[n * shape.dim() + k]);
  }
  return sum;
}

__global__ void coreKernel(ScfShape shape, const SymmetryData* data, const OneElectronBlock* blocks,
                           const Primitive* primitives, const double* space, const double* dual,
                           const double* nuclear, double c, double* core) {
  const int a = blockIdx.y, e = blockIdx.x * kThreads + threadIdx.x, dim = shape.dim(), half = shape.half;
  if (e >= dim * dim) return;
  const SymmetryData s = data[a];
  const int i = e % dim, j = e / dim;
  const double *x = space + a * shape.matrix(), *u = dual + a * half * half;
  double value = nuclear[a * shape.matrix() + e];
  if (i >= half && j < half) {
    if (i - half < s.small && j < s.large)
      value += kinetic(shape, blocks[a], primitives, u, x, c, i - half, j);
  } else if (i < half && j >= half) {
    if (j - half < s.small && i < s.large)
      value += kinetic(shape, blocks[a], primitives, u, x, c, j - half, i);
  } else if (i == j && i >= half && i - half < s.small) {
    value -= 2.0 * c * c;
  }
  core[a * shape.matrix() + e] = value;
}

/// Both components of every function at every point, times sqrt(r h); the screening potential there.
__global__ void functionKernel(ScfShape shape, const OneElectronBlock* blocks, const Primitive* primitives,
                               const SymmetryScreening* screenings, GuessGrid grid, double* functions,
                               double* potential) {
  const int a = blockIdx.y, e = blockIdx.x * kThreads + threadIdx.x, half = shape.half;
  const int p = e % half, i = e / half;
  if (i >= grid.points) return;
  const OneElectronBlock block = blocks[a];
  const double r = grid.first * exp(i * grid.h);
  if (p == 0) {
    const SymmetryScreening& s = screenings[a];
    potential[a * grid.points + i] = s.tabulated
                                         ? screeningPotential(s.rates, s.charges, r)
                                         : thomasFermiScreening(grid.nuclearCharge, grid.electrons, r);
  }
  double large = 0.0, small = 0.0;
  if (p < block.functions) {
    const Primitive g = primitives[block.first + p];
    const double common = radial::power(r, block.l) * sqrt(r * grid.h) * exp(-g.zeta * r * r);
    large = g.norm * common * r;
    small = common * (g.small0 + g.small2 * r * r);
  }
  double* target = functions + (2 * static_cast<std::int64_t>(a) * grid.points + i) * half + p;
  target[0] = large;
  target[static_cast<std::int64_t>(grid.points) * half] = small;
}

/// Matrices of the potential over primitives, padded; blockIdx.z: component.
__global__ void screeningKernel(ScfShape shape, GuessGrid grid, const double* functions,
                                const double* potential, double* matrices) {
  const int a = blockIdx.y, e = blockIdx.x * kThreads + threadIdx.x, half = shape.half, dim = shape.dim();
  if (e >= half * half) return;
  const int p = e % half, q = e / half, offset = blockIdx.z * half;
  const double* f = functions + (2 * static_cast<std::int64_t>(a) + blockIdx.z) * grid.points * half;
  double sum = 0.0;
  for (int i = 0; i < grid.points; ++i)
    sum += f[i * half + p] * potential[a * grid.points + i] * f[i * half + q];
  matrices[a * shape.matrix() + static_cast<std::int64_t>(offset + q) * dim + offset + p] = sum;
}

}  // namespace

bool canOrthonormalise(const ScfShape& shape) {
  int device = 0, limit = 0;
  PROPHET_CUDA_CHECK(cudaGetDevice(&device));
  PROPHET_CUDA_CHECK(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return shape.half * shape.half * static_cast<int>(sizeof(double)) + 1024 <= limit;
}

void orthonormalise(const ScfShape& shape, const OneElectronBlock* blocks, const double* oneElectron,
                    double* space, double* dual, double* norms, cudaStream_t stream) {
  const int bytes = shape.half * shape.half * static_cast<int>(sizeof(double));
  batch::allowSharedMemory(orthonormaliseKernel, bytes);
  orthonormaliseKernel<<<dim3(shape.symmetries, 2), kThreads, bytes, stream>>>(shape, blocks, oneElectron,
                                                                               space, dual, norms);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void padAttraction(const ScfShape& shape, const OneElectronBlock* blocks, const double* oneElectron,
                   double* matrices, cudaStream_t stream) {
  attractionKernel<<<gridOf(shape, shape.half * shape.half), kThreads, 0, stream>>>(shape, blocks,
                                                                                    oneElectron, matrices);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void makeCore(const ScfShape& shape, const SymmetryData* data, const OneElectronBlock* blocks,
              const Primitive* primitives, const double* space, const double* dual, const double* nuclear,
              double c, double* core, cudaStream_t stream) {
  coreKernel<<<gridOf(shape, shape.matrix()), kThreads, 0, stream>>>(shape, data, blocks, primitives, space,
                                                                     dual, nuclear, c, core);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void makeScreening(const ScfShape& shape, const OneElectronBlock* blocks, const Primitive* primitives,
                   const SymmetryScreening* screenings, const GuessGrid& grid, double* functions,
                   double* potential, double* matrices, cudaStream_t stream) {
  functionKernel<<<gridOf(shape, static_cast<std::int64_t>(grid.points) * shape.half), kThreads, 0, stream>>>(
      shape, blocks, primitives, screenings, grid, functions, potential);
  PROPHET_CUDA_CHECK_LAUNCH();
  dim3 blocksOfMatrices = gridOf(shape, shape.half * shape.half);
  blocksOfMatrices.z = 2;
  screeningKernel<<<blocksOfMatrices, kThreads, 0, stream>>>(shape, grid, functions, potential, matrices);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
