#pragma once

namespace prophet::cuda {

/// Reductions over a block of kThreads threads through shared memory of kThreads doubles; every thread gets
/// the result. Sums are taken in a fixed order.
template <int kThreads, class Combine>
__device__ double blockReduce(double value, double* shared, Combine combine) {
  __syncthreads();
  shared[threadIdx.x] = value;
  for (int step = kThreads / 2; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + step]);
  }
  __syncthreads();
  return shared[0];
}

struct Sum {
  __device__ double operator()(double a, double b) const { return a + b; }
};
/// Not-a-number wins, so that it cannot look like convergence.
struct Largest {
  __device__ double operator()(double a, double b) const { return a > b || a != a ? a : b; }
};

template <int kThreads>
__device__ double blockSum(double value, double* shared) {
  return blockReduce<kThreads>(value, shared, Sum{});
}
template <int kThreads>
__device__ double blockLargest(double value, double* shared) {
  return blockReduce<kThreads>(value, shared, Largest{});
}

}  // namespace prophet::cuda
