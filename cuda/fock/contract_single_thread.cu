#include "cuda/fock/contract_thesis.cuh"

/// STSE: one thread for one output element (Hennessey (2018), algorithm 8). Block column c of the grid makes
/// component c (LL, SS, RS, SR) of 128 pairs. Densities come through shared memory, a chunk of 128 pairs of
/// one symmetry at a time; chunks of a closed symmetry, and threads of one, do no open-shell work.
namespace prophet::cuda {
namespace {

constexpr int kChunk = 128;

struct Densities {
  double total[kChunk][2], open[kChunk][2];
};

__device__ void loadChunk(const ContractionView& view, int density, std::int64_t first, int count, bool open,
                          Densities& shared) {
  const int i = threadIdx.x;
  if (i >= count) return;
  const std::int64_t source = kPairComponents * (first + i) + density;
  shared.total[i][0] = view.totalDensity[source];
  shared.total[i][1] = view.totalDensity[source + 1];
  if (!open) return;
  shared.open[i][0] = view.openDensity[source];
  shared.open[i][1] = view.openDensity[source + 1];
}

/// What one chunk adds to one thread's element.
__device__ void addChunk(const ComponentRecipe& recipe, const SuperMatrixSlab& slab, std::int64_t firstRow,
                         std::int64_t endRow, std::int64_t i, std::int64_t first, int count,
                         const Densities& shared, bool open, double& p, double& q) {
  for (int n = 0; n < count; ++n) {
    const std::int64_t j = first + n, row = i > j ? i : j;
    if (row < firstRow || row >= endRow) continue;
    double x, y;
    elementPair(recipe, slab, i, j, x, y);
    p += x * shared.total[n][0] + y * shared.total[n][1];
    if (open) q += x * shared.open[n][0] + y * shared.open[n][1];
  }
}

__global__ void __launch_bounds__(kChunk) singleThreadKernel(ContractionView view, SuperMatrixSlab slab,
                                                             std::int64_t firstRow, std::int64_t endRow) {
  __shared__ Densities shared;
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kChunk + threadIdx.x;
  const bool active = i < view.pairs;
  const ComponentRecipe recipe = recipeOf(blockIdx.y);
  const int a = active ? symmetryOf(view, i) : 0;
  double p = 0.0, q = 0.0;
  for (int b = 0; b < view.symmetries; ++b) {
    const bool openB = view.open[b] != 0, open = openB && view.open[a] != 0;
    double reduced = 0.0;
    for (std::int64_t first = view.pairOffset[b]; first < view.pairOffset[b + 1]; first += kChunk) {
      const std::int64_t left = view.pairOffset[b + 1] - first;
      const int count = static_cast<int>(left < kChunk ? left : kChunk);
      __syncthreads();
      loadChunk(view, recipe.density, first, count, openB, shared);
      __syncthreads();
      if (active) addChunk(recipe, slab, firstRow, endRow, i, first, count, shared, open, p, reduced);
    }
    if (open) q += view.reduction[a * view.symmetries + b] * reduced;
  }
  if (!active) return;
  view.p[kPairComponents * i + blockIdx.y] += p;
  if (view.open[a]) view.q[kPairComponents * i + blockIdx.y] += q;
}

}  // namespace

void contractSingleThread(const ContractionView& view, const SuperMatrixSlab& slab, std::int64_t firstRow,
                          std::int64_t endRow, cudaStream_t stream) {
  const dim3 grid((view.pairs + kChunk - 1) / kChunk, kPairComponents);
  singleThreadKernel<<<grid, kChunk, 0, stream>>>(view, slab, firstRow, endRow);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
