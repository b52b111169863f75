#include "cuda/atoms/scf/scf_kernels.hpp"
#include "cuda/core/common/block_reduce.cuh"

/// Effective Fock matrices and gradients: one block for one symmetry, the formulas of scf/fock_operator.cpp.
namespace prophet::cuda {
namespace {

constexpr int kThreads = 512;

/// Columns 0 .. columns-1 of `work`: rows of C^T F for closed spinors; then o's companions.
struct Work {
  double *closedFock, *w, *inClosed, *u, *openRow;
  __device__ Work(const ScfShape& shape, double* start) {
    closedFock = start;
    w = start + shape.block();
    inClosed = w + shape.dim();
    u = inClosed + shape.dim();
    openRow = u + shape.dim();
  }
};

__device__ double row(const double* matrix, int dim, int i, const double* vector) {
  double sum = 0.0;
  for (int j = 0; j < dim; ++j) sum += matrix[i + j * dim] * vector[j];
  return sum;
}

/// w = -Q o, its closed part, u = w - (1 + n/(g - n)) P_c w - (o.w) o / 2, openRow = F o + w.
__device__ void openVectors(const ScfShape& shape, const SymmetryData& s, const double* c, const double* fock,
                            const double* q, const Work& work, double* shared) {
  const int dim = shape.dim(), i = threadIdx.x;
  const double* o = c + s.closed * dim;
  for (int r = i; r < dim; r += kThreads) {
    work.w[r] = -row(q, dim, r, o);
    work.openRow[r] = row(fock, dim, r, o) + work.w[r];
    work.inClosed[r] = 0.0;
  }
  for (int k = 0; k <= s.closed; ++k) {
    double part = 0.0;
    __syncthreads();
    for (int r = i; r < dim; r += kThreads) part += c[k * dim + r] * work.w[r];
    const double overlap = blockSum(part, shared);
    for (int r = i; r < dim; r += kThreads) {
      if (k < s.closed) work.inClosed[r] += overlap * c[k * dim + r];
      if (k < s.closed) continue;
      const double factor = 1.0 + s.openElectrons / (s.degeneracy - s.openElectrons);
      work.u[r] = work.w[r] - factor * work.inClosed[r] - 0.5 * overlap * o[r];
    }
  }
  __syncthreads();
}

__global__ void __launch_bounds__(kThreads)
    effectiveKernel(ScfShape shape, const SymmetryData* data, const double* coefficients, const double* focks,
                    const double* opens, double* works, double* effectives, double* gradients) {
  __shared__ double shared[32];
  const int a = blockIdx.x, dim = shape.dim();
  const SymmetryData s = data[a];
  const double *c = coefficients + a * shape.block(), *fock = focks + a * shape.matrix();
  const Work work(shape, works + a * (shape.block() + 5 * dim));
  for (int i = threadIdx.x; i < s.closed * dim; i += kThreads) {
    work.closedFock[i] = row(fock, dim, i % dim, c + i / dim * dim);
  }
  if (s.open) openVectors(shape, s, c, fock, opens + a * shape.matrix(), work, shared);
  __syncthreads();
  const double* o = c + s.closed * dim;
  for (int e = threadIdx.x; e < dim * dim; e += kThreads) {
    const int i = e % dim, j = e / dim;
    double gradient = 0.0, effective = fock[e];
    for (int k = 0; k < s.closed; ++k) {
      gradient +=
          c[k * dim + i] * work.closedFock[k * dim + j] - work.closedFock[k * dim + i] * c[k * dim + j];
    }
    gradient *= s.degeneracy;
    if (s.open) {
      gradient += s.openElectrons * (o[i] * work.openRow[j] - work.openRow[i] * o[j]);
      effective += o[i] * work.u[j] + work.u[i] * o[j];
    }
    effectives[a * shape.matrix() + e] = effective;
    gradients[a * shape.matrix() + e] = gradient;
  }
}

__global__ void expectationKernel(ScfShape shape, const double* coefficients, const double* focks,
                                  double* energies) {
  __shared__ double shared[32];
  const int a = blockIdx.x, k = blockIdx.y, dim = shape.dim();
  const double *c = coefficients + a * shape.block() + k * dim, *fock = focks + a * shape.matrix();
  double part = 0.0;
  for (int i = threadIdx.x; i < dim; i += kThreads) part += c[i] * row(fock, dim, i, c);
  const double sum = blockSum(part, shared);
  if (threadIdx.x == 0) energies[a * shape.columns + k] = sum;
}

}  // namespace

void makeEffectiveFock(const ScfShape& shape, const SymmetryData* data, const double* coefficients,
                       const double* fock, const double* open, double* work, double* effective,
                       double* gradient, cudaStream_t stream) {
  effectiveKernel<<<shape.symmetries, kThreads, 0, stream>>>(shape, data, coefficients, fock, open, work,
                                                             effective, gradient);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void expectationValues(const ScfShape& shape, const double* coefficients, const double* fock,
                       double* energies, cudaStream_t stream) {
  const dim3 grid(shape.symmetries, shape.columns);
  expectationKernel<<<grid, kThreads, 0, stream>>>(shape, coefficients, fock, energies);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
