#include "cuda/batch/device_helpers.cuh"
#include "cuda/batch/kernels.hpp"
#include "cuda/common/check.hpp"
#include "cuda/common/small_jacobi.cuh"

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

/// Weights of the stored Fock matrices, as Diis::combination on the host; one warp for each slot.
__global__ void combination(View v) {
  __shared__ SmallMatrix<kDiisDepth> b, vectors;
  const int slot = v.list[blockIdx.x];
  SlotState& state = v.state[slot];
  const int newest = state.newest, n = min(state.stored + 1, kDiisDepth);
  const double* products = slotPart(v.products, slot, kDiisDepth * kDiisDepth);
  const auto scaleOf = [&](int i) { return 1.0 / sqrt(fmax(products[i * kDiisDepth + i], 1e-300)); };
  for (int e = threadIdx.x; e < n * n; e += 32) {
    const int i = e / n, j = e % n;
    b[i][j] = scaleOf(i) * products[i * kDiisDepth + j] * scaleOf(j);
  }
  __syncwarp();
  jacobi(n, b, vectors);
  if (threadIdx.x != 0) return;
  state.stored = n;
  state.newest = (newest + 1) % kDiisDepth;
  double scale[kDiisDepth], c[kDiisDepth];
  for (int i = 0; i < n; ++i) {
    scale[i] = scaleOf(i);
    c[i] = 0.0;
  }
  for (int k = 0; k < n; ++k) {
    if (b[k][k] < 1e-14 * n) continue;
    double dot = 0.0;
    for (int i = 0; i < n; ++i) dot += vectors[i][k] * scale[i];
    for (int i = 0; i < n; ++i) c[i] += vectors[i][k] * dot / b[k][k];
  }
  double sum = 0.0;
  bool finite = true;
  for (int i = 0; i < n; ++i) sum += c[i] *= scale[i];
  for (int i = 0; i < n; ++i) finite = finite && isfinite(c[i] / sum);
  double* weights = slotPart(v.weights, slot, kDiisDepth);
  for (int i = 0; i < kDiisDepth; ++i) weights[i] = i >= n ? 0.0 : finite ? c[i] / sum : i == newest;
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
