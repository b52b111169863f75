#pragma once
#include "cuda/core/common/block_reduce.cuh"

/// Cholesky factors of small matrices, one block for each.
namespace prophet::cuda {

/// u (n x n, shared; upper triangle) -> Cholesky factor U, U^T U = u. False (in every thread) where u is not
/// positive definite.
__device__ inline bool cholesky(double* u, int n) {
  for (int k = 0; k < n; ++k) {
    const double pivot = u[k * n + k];
    __syncthreads();
    if (!(pivot > 0.0)) return false;
    const double root = sqrt(pivot);
    for (int j = k + threadIdx.x; j < n; j += blockDim.x) u[k * n + j] = j == k ? root : u[k * n + j] / root;
    __syncthreads();
    const int rest = n - k - 1;
    for (int e = threadIdx.x; e < rest * rest; e += blockDim.x) {
      const int i = k + 1 + e / rest, j = k + 1 + e % rest;
      if (j >= i) u[i * n + j] -= u[k * n + i] * u[k * n + j];
    }
    __syncthreads();
  }
  return true;
}

/// x (element (i, j) at i rowStride + j columnStride) = U^-1, upper triangular; returns its squared norm.
/// `scratch`: see blockSum.
__device__ inline double invert(const double* u, int n, double* x, int rowStride, int columnStride,
                                double* scratch) {
  double norm = 0.0;
  for (int j = threadIdx.x; j < n; j += blockDim.x) {
    double* column = x + j * columnStride;
    for (int i = n - 1; i > j; --i) column[i * rowStride] = 0.0;
    double value = 1.0 / u[j * n + j];
    column[j * rowStride] = value;
    norm += value * value;
    for (int i = j - 1; i >= 0; --i) {
      double sum = 0.0;
      for (int k = i + 1; k <= j; ++k) sum += u[i * n + k] * column[k * rowStride];
      value = -sum / u[i * n + i];
      column[i * rowStride] = value;
      norm += value * value;
    }
  }
  return blockSum(norm, scratch);
}

}  // namespace prophet::cuda
