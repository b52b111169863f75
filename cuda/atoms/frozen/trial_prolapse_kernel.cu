#include "cuda/atoms/batch/device_helpers.cuh"
#include "cuda/atoms/frozen/trial_view.hpp"
#include "cuda/core/common/check.hpp"

/// Rise and prolapse of trials from their eigenvectors, one block for each trial.
namespace prophet::cuda::frozen {
namespace {

constexpr int kThreads = 128;
constexpr int kPoints = ExponentNodes::kPoints;
/// Negative-energy solutions that are taken together: a thread for each and each component.
constexpr int kSolutions = kThreads / 2;

/// Overlap of a negative-energy solution with one component of the spinors, over primitives in
/// coefficients[spinor][primitive].
__device__ void overlapsOf(const double* __restrict__ negative, int negatives, const int* start,
                           const double* weights, const double* coefficients, int n, int occupied,
                           double (&overlap)[kMostOccupied]) {
#pragma unroll
  for (int i = 0; i < kMostOccupied; ++i) overlap[i] = 0.0;
  for (int p = 0; p < n; ++p) {
    double value = 0.0;
#pragma unroll
    for (int j = 0; j < kPoints; ++j)
      value += weights[p * kPoints + j] * negative[static_cast<long long>(start[p] + j) * negatives];
#pragma unroll
    for (int i = 0; i < kMostOccupied; ++i) {
      if (i < occupied) overlap[i] += value * coefficients[i * n + p];
    }
  }
}

__global__ void __launch_bounds__(kThreads) finishTrials(BatchView v) {
  __shared__ double weights[kMostFunctions * kPoints];
  __shared__ int start[kMostFunctions];
  __shared__ double coefficients[2][kMostOccupied * kMostFunctions];  // small, large
  __shared__ double smallOverlap[kMostOccupied][kSolutions];
  __shared__ double scratch[33];
  const TrialInput& input = v.trials[blockIdx.x];
  const TableView& t = input.table;
  TrialResult& result = v.results[blockIdx.x];
  if (threadIdx.x == 0) result = {0.0, 0.0, v.status[blockIdx.x]};
  if (v.status[blockIdx.x] != static_cast<int>(TrialStatus::Measured)) return;
  const int n = input.functions, occupied = t.occupied;
  for (int p = threadIdx.x; p < n; p += kThreads)
    start[p] = t.nodes.stencil(input.exponents[p], weights + p * kPoints);
  const double* x = v.x + blockIdx.x * v.xSize();
  const double* vectors = v.vectors + blockIdx.x * v.vectorSize();
  for (int e = threadIdx.x; e < 2 * occupied * n; e += kThreads) {
    const int component = e / (occupied * n), i = e / n % occupied, p = e % n;
    const double* own = x + (component == 0 ? n * n : 0);
    const double* vector = vectors + i * 2 * n + component * n;
    double sum = 0.0;
    for (int q = p; q < n; ++q) sum += own[p * n + q] * vector[q];
    coefficients[component][i * n + p] = sum;
  }
  __syncthreads();

  const double* values = v.values + blockIdx.x * kMostOccupied;
  const int component = threadIdx.x / kSolutions, lane = threadIdx.x % kSolutions;
  double prolapse = 0.0;
  for (int first = 0; first < t.negatives; first += kSolutions) {
    const int k = first + lane;
    const bool inside = k < t.negatives;
    double overlap[kMostOccupied];
    overlapsOf((component == 0 ? t.negativeSmall : t.negativeLarge) + (inside ? k : 0), t.negatives, start,
               weights, coefficients[component], n, occupied, overlap);
    if (component == 0) {
#pragma unroll
      for (int i = 0; i < kMostOccupied; ++i) smallOverlap[i][lane] = overlap[i];
    }
    __syncthreads();
    if (component == 1 && inside) {
#pragma unroll
      for (int i = 0; i < kMostOccupied; ++i) {
        if (i >= occupied) continue;
        const double whole = overlap[i] + smallOverlap[i][lane];
        if (v.slopes) v.s.overlaps[(blockIdx.x * kMostOccupied + i) * kMostNegatives + k] = whole;
        prolapse += t.occupation[i] * whole * whole * (values[i] - t.negativeEnergies[k]);
      }
    }
    __syncthreads();
  }
  prolapse = blockSum(prolapse, scratch);
  if (threadIdx.x > 0) return;
  double rise = 0.0;
  for (int i = 0; i < occupied; ++i) rise += t.occupation[i] * (values[i] - t.energies[i]);
  result.rise = rise;
  result.prolapse = prolapse;
}

}  // namespace

void launchProlapse(const BatchView& v, cudaStream_t stream) {
  finishTrials<<<static_cast<unsigned>(v.count), kThreads, 0, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda::frozen
