#pragma once
#include <cub/cub.cuh>

#include "cuda/matter/mesh/spme_kernels.hpp"

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

/// The same for the totals of each thread.
template <int Threads>
__device__ void blockTotals(const ChargeTotals& mine, ChargeTotals* out) {
  blockSums<Threads>(mine.sums, out->sums);
  using Reduce = cub::BlockReduce<double, Threads>;
  __shared__ typename Reduce::TempStorage space;
  const double least = Reduce(space).Reduce(mine.squared, [](double a, double b) { return a < b ? a : b; });
  if (threadIdx.x == 0) out->squared = least;
}

}  // namespace prophet::cuda
