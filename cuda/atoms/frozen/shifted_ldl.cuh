#pragma once
#include "cuda/atoms/batch/packed_ldl.cuh"

/// Factorisations of Fock matrices, one warp a block. Shared memory: the packed triangle.
namespace prophet::cuda::frozen {

/// A shift below an eigenvalue, by a small part of what others are away.
__device__ inline double shiftBelow(double eigenvalue) { return eigenvalue - 1e-3 * fabs(eigenvalue); }

__device__ inline double* packedTriangle() {
  extern __shared__ __align__(16) double triangle[];
  return triangle;
}

/// Factorises f - shift (size x size); the number of eigenvalues below the shift.
template <int Slices>
__noinline__ __device__ int factoriseShifted(const double* __restrict__ f, int size, double shift) {
  double* packed = packedTriangle();
  const int lane = threadIdx.x;
  __syncwarp();
#pragma unroll 4
  for (int j = 0; j < size; ++j) {
    const int column = batch::packedColumn(j, size);
#pragma unroll
    for (int s = 0; s < Slices; ++s) {
      const int i = lane + 32 * s;
      if (i >= j && i < size) packed[column + i] = f[j * size + i] - (i == j ? shift : 0.0);
    }
  }
  __syncwarp();
  return batch::factorise<Slices>(packed, size);
}

}  // namespace prophet::cuda::frozen
