#pragma once
#include <cub/cub.cuh>

namespace prophet::cuda {

/// Sums of N numbers over the threads of a block into out[0 ... N-1]; all threads of the block call it. The
/// order of the additions is always the same.
template <int Threads, int N>
__device__ void blockSums(const double (&mine)[N], double* out) {
  using Reduce = cub::BlockReduce<double, Threads>;
  __shared__ typename Reduce::TempStorage space;
  for (int k = 0; k < N; ++k) {
    const double sum = Reduce(space).Sum(mine[k]);
    if (threadIdx.x == 0) out[k] = sum;
    __syncthreads();
  }
}

}  // namespace prophet::cuda
