// The transform of a histogram, in double precision: all points for four momenta in a block.
#include "cuda/core/common/check.hpp"
#include "cuda/matter/pairs/kernels.hpp"
#include "matter/pairs/sine_turns.hpp"

namespace prophet::cuda {
namespace {

constexpr int kTransformThreads = 256, kTransformMomenta = 4;

__global__ void __launch_bounds__(kTransformThreads)
    transform(const double* __restrict__ r, const double* __restrict__ weights, int points,
              const double* __restrict__ turns, int momenta, double* sums) {
  __shared__ double scratch[kTransformThreads / 32];
  const int first = blockIdx.x * kTransformMomenta;
  double q[kTransformMomenta], sum[kTransformMomenta] = {};
  for (int k = 0; k < kTransformMomenta; ++k) q[k] = first + k < momenta ? turns[first + k] : 0.0;
  for (int i = threadIdx.x; i < points; i += kTransformThreads) {
    const double distance = r[i], weight = weights[i];
#pragma unroll
    for (int k = 0; k < kTransformMomenta; ++k) {
      const double whole = rint(q[k] * distance);
      sum[k] += weight * sineOfTurns(fma(q[k], distance, -whole));
    }
  }
  for (int k = 0; k < kTransformMomenta; ++k) {
    double value = sum[k];
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0 && first + k < momenta) {
      double total = 0;
      for (int w = 0; w < kTransformThreads / 32; ++w) total += scratch[w];
      sums[first + k] = total;
    }
    __syncthreads();
  }
}

}  // namespace

void launchTransform(const double* r, const double* weights, int points, const double* turns, int momenta,
                     double* sums, cudaStream_t stream) {
  transform<<<(momenta + kTransformMomenta - 1) / kTransformMomenta, kTransformThreads, 0, stream>>>(
      r, weights, points, turns, momenta, sums);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
