#include "cuda/atoms/correlation/correlation_kernels.hpp"
#include "cuda/core/common/block_reduce.cuh"
#include "cuda/core/common/launch.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 256;

__global__ void densityKernel(int points, int count, SpinorColumns a, SpinorColumns columns,
                              double* density) {
  const std::int64_t size = static_cast<std::int64_t>(points) * count;
  for (std::int64_t e = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; e < size;
       e += static_cast<std::int64_t>(gridDim.x) * blockDim.x) {
    const auto point = e % points;
    double value = a.large[point] * columns.large[e];
    if (a.small != nullptr) value += a.small[point] * columns.small[e];
    density[e] = value;
  }
}

__device__ double integralOf(const PairTask& task, int rank, int i, int j) {
  const bool direct = rank < task.direct.ranks;
  const IntegralView& v = direct ? task.direct : task.exchange;
  return v.first[(direct ? rank : rank - task.direct.ranks) * v.ofRank + i * v.ofRow + j * v.ofColumn];
}

/// x^T M x with each pair of elements once.
__device__ double squareOf(const PairTask& task, const double* form, int i, int j) {
  const int ranks = task.direct.ranks + task.exchange.ranks;
  double square = 0.0;
  for (int p = 0; p < ranks; ++p) {
    const double x = integralOf(task, p, i, j);
    double row = 0.5 * form[p * ranks + p] * x;
    for (int q = 0; q < p; ++q) row += form[p * ranks + q] * integralOf(task, q, i, j);
    square += 2.0 * x * row;
  }
  return square;
}

__global__ void excitationKernel(const PairTask* list, double* sums, double* gaps) {
  __shared__ double scratch[32];
  const PairTask task = list[blockIdx.x];
  double sum = 0.0, gap = INFINITY;
  for (int e = static_cast<int>(threadIdx.x); e < task.rows * task.columns;
       e += static_cast<int>(blockDim.x)) {
    const int i = e % task.rows, j = e / task.rows;
    const PairClass& own =
        task.classes[min(i, task.openRows) + min(j, task.openColumns) * (task.openRows + 1)];
    if (own.factor == 0.0) continue;
    const double square = squareOf(task, own.form, i, j);
    if (square == 0.0) continue;
    const double excitation = task.rowEnergies[i] + task.columnEnergies[j] - task.energy;
    gap = fmin(gap, excitation);
    sum -= own.factor * square / excitation;
  }
  sum = blockSum(sum, scratch);
  gap = -blockMax(-gap, scratch);
  if (threadIdx.x != 0) return;
  sums[blockIdx.x] = sum;
  gaps[blockIdx.x] = gap;
}

__global__ void mixKernel(SigmaBlocks blocks, const double* x, double* mixed) {
  const std::int64_t area = blocks.area(), size = area * blocks.count;
  for (std::int64_t e = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; e < size;
       e += static_cast<std::int64_t>(gridDim.x) * blockDim.x) {
    const auto inside = e % area, first = e / area * area * blocks.ranks + inside;
    const double column =
        blocks.columnEnergies == nullptr ? 0.0 : blocks.columnEnergies[inside / blocks.rows];
    const double weight =
        blocks.factor / (blocks.base + blocks.sign * (blocks.rowEnergies[inside % blocks.rows] + column));
    for (int j = 0; j < blocks.ranks; ++j) {
      double sum = 0.0;
      for (int i = 0; i < blocks.ranks; ++i) sum += blocks.form[j * blocks.ranks + i] * x[first + i * area];
      mixed[first + j * area] = weight * sum;
    }
  }
}

}  // namespace

void makeDensities(int points, int count, SpinorColumns a, SpinorColumns columns, double* density,
                   cudaStream_t stream) {
  const std::int64_t size = static_cast<std::int64_t>(points) * count;
  if (size == 0) return;
  densityKernel<<<gridFor(size, kThreads), kThreads, 0, stream>>>(points, count, a, columns, density);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void addExcitations(int tasks, const PairTask* list, double* sums, double* gaps, cudaStream_t stream) {
  if (tasks == 0) return;
  excitationKernel<<<tasks, kThreads, 0, stream>>>(list, sums, gaps);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void mixRanks(const SigmaBlocks& blocks, const double* x, double* mixed, cudaStream_t stream) {
  const std::int64_t size = blocks.area() * blocks.count;
  if (size == 0) return;
  mixKernel<<<gridFor(size, kThreads), kThreads, 0, stream>>>(blocks, x, mixed);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
