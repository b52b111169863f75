#include "cuda/atoms/fock/contract_thesis.cuh"
#include "cuda/core/common/block_reduce.cuh"

/// MTSE: many threads for one output element (Hennessey (2018), algorithms 6 and 7 in one kernel). A block
/// makes the products of one pair I with a chunk of 2048 pairs J for all four components, reduces them over
/// its threads and adds each sum to the result with one atomic operation.
namespace prophet::cuda {
namespace {

constexpr int kThreads = 256, kChunk = 2048;

struct Sums {
  double p[kPairComponents], q[kPairComponents];
};

__device__ void addProducts(const ContractionView& view, const SuperMatrixSlab& slab, int a, std::int64_t i,
                            std::int64_t j, Sums& sums) {
  const int b = view.open[a] ? symmetryOf(view, j) : 0;
  const bool open = view.open[a] && view.open[b];
  const double reduction = open ? view.reduction[a * view.symmetries + b] : 0.0;
#pragma unroll
  for (int c = 0; c < kPairComponents; ++c) {
    const ComponentRecipe recipe = recipeOf(c);
    const double* d = view.totalDensity + kPairComponents * j + recipe.density;
    double x, y;
    elementPair(recipe, slab, i, j, x, y);
    sums.p[c] += x * d[0] + y * d[1];
    if (!open) continue;
    const double* o = view.openDensity + kPairComponents * j + recipe.density;
    sums.q[c] += reduction * (x * o[0] + y * o[1]);
  }
}

__global__ void __launch_bounds__(kThreads) multiThreadKernel(ContractionView view, SuperMatrixSlab slab,
                                                              std::int64_t firstRow, std::int64_t endRow) {
  __shared__ double shared[kThreads / 32];
  const std::int64_t i = blockIdx.x, first = static_cast<std::int64_t>(blockIdx.y) * kChunk;
  const std::int64_t end = first + kChunk < view.pairs ? first + kChunk : view.pairs;
  const int a = symmetryOf(view, i);
  Sums sums{};
  for (std::int64_t j = first + threadIdx.x; j < end; j += kThreads) {
    const std::int64_t row = i > j ? i : j;
    if (row >= firstRow && row < endRow) addProducts(view, slab, a, i, j, sums);
  }
  for (int c = 0; c < kPairComponents; ++c) {
    const double p = blockSum(sums.p[c], shared);
    if (threadIdx.x == 0) atomicAdd(view.p + kPairComponents * i + c, p);
    if (!view.open[a]) continue;
    const double q = blockSum(sums.q[c], shared);
    if (threadIdx.x == 0) atomicAdd(view.q + kPairComponents * i + c, q);
  }
}

}  // namespace

void contractMultiThread(const ContractionView& view, const SuperMatrixSlab& slab, std::int64_t firstRow,
                         std::int64_t endRow, cudaStream_t stream) {
  const dim3 grid(view.pairs, (view.pairs + kChunk - 1) / kChunk);
  multiThreadKernel<<<grid, kThreads, 0, stream>>>(view, slab, firstRow, endRow);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
