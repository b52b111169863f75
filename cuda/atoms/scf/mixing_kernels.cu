#include "cuda/atoms/scf/scf_kernels.hpp"
#include "cuda/core/common/block_reduce.cuh"
#include "cuda/core/common/diis_weights.cuh"

/// DIIS on the device: scalar products of the newest error with all stored ones, the small problem, and the
/// combination of the stored Fock matrices.
namespace prophet::cuda {
namespace {

constexpr int kThreads = 256;

/// Pieces of one scalar product, which the next kernel adds in their order.
constexpr int kPieces = 24;

__global__ void __launch_bounds__(kThreads)
    errorProducts(History errors, int newest, std::int64_t size, double* pieces) {
  __shared__ double scratch[32];
  const double *a = errors.entry[blockIdx.y], *b = errors.entry[newest];
  double sum = 0.0;
  for (std::int64_t i = blockIdx.x * kThreads + threadIdx.x; i < size; i += kPieces * kThreads)
    sum += a[i] * b[i];
  sum = blockSum(sum, scratch);
  if (threadIdx.x == 0) pieces[blockIdx.y * kPieces + blockIdx.x] = sum;
}

/// Weights of the stored Fock matrices; one warp.
__global__ void combination(int newest, int n, const double* pieces, double* products, double* weights) {
  __shared__ SmallMatrix<kDiisDepth> b, vectors;
  const int lane = threadIdx.x;
  if (lane < n) {
    double sum = 0.0;
    for (int i = 0; i < kPieces; ++i) sum += pieces[lane * kPieces + i];
    products[lane * kDiisDepth + newest] = products[newest * kDiisDepth + lane] = sum;
  }
  __syncwarp();
  const auto product = [&](int i, int j) { return products[i * kDiisDepth + j]; };
  const double weight = diisWeight(n, newest, product, b, vectors);
  if (lane < n) weights[lane] = weight;
}

__global__ void __launch_bounds__(kThreads)
    weightedSum(History focks, const double* weights, std::int64_t size, int count, double* out) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(kThreads) + threadIdx.x;
  if (i >= size) return;
  double sum = 0.0;
  for (int n = 0; n < count; ++n) sum += weights[n] * focks.entry[n][i];
  out[i] = sum;
}

}  // namespace

int diisWorkSize() { return kDiisDepth * (kPieces + kDiisDepth + 1); }

void combineByDiis(const History& focks, const History& errors, int newest, int stored, std::int64_t size,
                   double* work, double* mixed, cudaStream_t stream) {
  double *products = work, *weights = products + kDiisDepth * kDiisDepth, *pieces = weights + kDiisDepth;
  errorProducts<<<dim3(kPieces, stored), kThreads, 0, stream>>>(errors, newest, size, pieces);
  PROPHET_CUDA_CHECK_LAUNCH();
  combination<<<1, 32, 0, stream>>>(newest, stored, pieces, products, weights);
  PROPHET_CUDA_CHECK_LAUNCH();
  const int blocks = static_cast<int>((size + kThreads - 1) / kThreads);
  weightedSum<<<blocks, kThreads, 0, stream>>>(focks, weights, size, stored, mixed);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
