#pragma once

namespace prophet::cuda {

/// Not-a-number wins, so that it cannot look like convergence.
__device__ inline double largerOf(double a, double b) { return a > b || a != a ? a : b; }

/// Sum over the block in a fixed order; every thread gets it. `scratch`: 32 doubles of shared memory. Blocks
/// have whole warps.
__device__ inline double blockSum(double value, double* scratch) {
  for (int step = 16; step > 0; step >>= 1) value += __shfl_xor_sync(0xffffffffu, value, step);
  __syncthreads();
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
  __syncthreads();
  double sum = 0.0;
  for (unsigned i = 0; i < blockDim.x / 32; ++i) sum += scratch[i];
  return sum;
}

/// Largest value over the block, likewise.
__device__ inline double blockMax(double value, double* scratch) {
  for (int step = 16; step > 0; step >>= 1)
    value = largerOf(value, __shfl_xor_sync(0xffffffffu, value, step));
  __syncthreads();
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
  __syncthreads();
  double largest = scratch[0];
  for (unsigned i = 1; i < blockDim.x / 32; ++i) largest = largerOf(scratch[i], largest);
  return largest;
}

}  // namespace prophet::cuda
