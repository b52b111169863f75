#include "cuda/atoms/batch/device_helpers.cuh"
#include "cuda/atoms/batch/kernels.hpp"
#include "cuda/core/common/check.hpp"
#include "cuda/core/common/diis_weights.cuh"

namespace prophet::cuda::batch {
namespace {

constexpr int kThreads = 256;

/// Scalar products of the newest error with all stored ones; one block for each slot.
__global__ void errorProducts(View v) {
  __shared__ double scratch[33];
  const int slot = v.list[blockIdx.x], size = v.shape.matrixSize;
  const int newest = v.state[slot].newest, stored = min(v.state[slot].stored + 1, kDiisDepth);
  const double* errors = slotPart(v.errors, slot, static_cast<long long>(kDiisDepth) * size);
  const double* mine = errors + static_cast<long long>(newest) * size;
  double sum[kDiisDepth] = {};
  for (int e = threadIdx.x; e < size; e += kThreads) {
    const double value = mine[e];
#pragma unroll
    for (int i = 0; i < kDiisDepth; ++i) {
      if (i < stored) sum[i] += value * errors[static_cast<long long>(i) * size + e];
    }
  }
  double* products = slotPart(v.products, slot, kDiisDepth * kDiisDepth);
#pragma unroll
  for (int i = 0; i < kDiisDepth; ++i) {
    const double total = blockSum(sum[i], scratch);
    if (threadIdx.x == 0 && i < stored)
      products[i * kDiisDepth + newest] = products[newest * kDiisDepth + i] = total;
  }
}

/// Weights of the stored Fock matrices; one warp for each slot.
__global__ void combination(View v) {
  __shared__ SmallMatrix<kDiisDepth> b, vectors;
  const int slot = v.list[blockIdx.x];
  SlotState& state = v.state[slot];
  const int newest = state.newest, n = min(state.stored + 1, kDiisDepth);
  const double* products = slotPart(v.products, slot, kDiisDepth * kDiisDepth);
  const auto product = [&](int i, int j) { return products[i * kDiisDepth + j]; };
  const double weight = diisWeight(n, newest, product, b, vectors);
  if (threadIdx.x < kDiisDepth) slotPart(v.weights, slot, kDiisDepth)[threadIdx.x] = weight;
  if (threadIdx.x != 0) return;
  state.stored = n;
  state.newest = (newest + 1) % kDiisDepth;
}

/// mixed = sum of weights times stored matrices; blocks stride over the elements of one slot.
__global__ void combine(View v) {
  const int slot = v.list[blockIdx.y], size = v.shape.matrixSize, stored = v.state[slot].stored;
  const double* focks = slotPart(v.focks, slot, static_cast<long long>(kDiisDepth) * size);
  const double* weights = slotPart(v.weights, slot, kDiisDepth);
  double* mixed = slotPart(v.mixed, slot, size);
  for (int e = blockIdx.x * kThreads + threadIdx.x; e < size; e += kThreads * gridDim.x) {
    double sum = 0.0;
#pragma unroll
    for (int i = 0; i < kDiisDepth; ++i) {
      if (i < stored) sum += weights[i] * focks[static_cast<long long>(i) * size + e];
    }
    mixed[e] = sum;
  }
}

}  // namespace

void launchMixing(const View& v, cudaStream_t stream) {
  const unsigned count = static_cast<unsigned>(v.count);
  errorProducts<<<count, kThreads, 0, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
  combination<<<count, 32, 0, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
  const unsigned blocks = static_cast<unsigned>((v.shape.matrixSize + 8 * kThreads - 1) / (8 * kThreads));
  combine<<<dim3(blocks, count), kThreads, 0, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda::batch
