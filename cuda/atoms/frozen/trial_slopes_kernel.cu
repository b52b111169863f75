#include "core/common/error.hpp"
#include "cuda/atoms/batch/shared_memory.hpp"
#include "cuda/atoms/frozen/shifted_ldl.cuh"
#include "cuda/atoms/frozen/trial_view.hpp"
#include "cuda/core/common/check.hpp"

/// Derivatives of rise and prolapse, as TableTrial::slopes has them, in three kernels: what pulls the spinors
/// as their overlaps with negative-energy solutions count; how they respond to it; the sums.
namespace prophet::cuda::frozen {
namespace {

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr int kPoints = ExponentNodes::kPoints;

__device__ bool wanted(const BatchView& v, int trial) {
  return v.status[trial] == static_cast<int>(TrialStatus::Measured);
}

/// <g_p|a_i> and its derivative, a_i = sum_k 2 (epsilon_i - epsilon_k) <k|i> k. One block for each trial, one
/// warp for each (component, p).
__global__ void __launch_bounds__(kThreads) pullTrials(BatchView v) {
  __shared__ double pull[kMostOccupied][kMostNegatives];
  const int trial = blockIdx.x;
  if (!wanted(v, trial)) return;
  const TrialInput& input = v.trials[trial];
  const TableView& t = input.table;
  const int n = input.functions, lane = threadIdx.x % 32;
  for (int e = threadIdx.x; e < t.occupied * t.negatives; e += kThreads) {
    const int i = e / t.negatives, k = e % t.negatives;
    const double depth = v.values[trial * kMostOccupied + i] - t.negativeEnergies[k];
    pull[i][k] = 2.0 * depth * v.s.overlaps[(trial * kMostOccupied + i) * kMostNegatives + k];
  }
  __syncthreads();
  double* out = v.s.pulls + trial * v.pullSize();
  for (int item = threadIdx.x / 32; item < 2 * n; item += kWarps) {
    const int component = item / n, p = item % n;
    double weights[kPoints], slopes[kPoints];
    const int start = t.nodes.stencil(input.exponents[p], weights, slopes);
    const double* negative =
        (component == 0 ? t.negativeSmall : t.negativeLarge) + static_cast<long long>(start) * t.negatives;
    double values[kMostOccupied] = {}, changes[kMostOccupied] = {};
    for (int k = lane; k < t.negatives; k += 32) {
      double value = 0.0, change = 0.0;
#pragma unroll
      for (int j = 0; j < kPoints; ++j) {
        const double node = negative[static_cast<long long>(j) * t.negatives + k];
        value += weights[j] * node;
        change += slopes[j] * node;
      }
#pragma unroll
      for (int i = 0; i < kMostOccupied; ++i) {
        if (i >= t.occupied) continue;
        values[i] += pull[i][k] * value;
        changes[i] += pull[i][k] * change;
      }
    }
#pragma unroll
    for (int i = 0; i < kMostOccupied; ++i) {
      if (i >= t.occupied) continue;
      const double value = batch::warpSum(values[i]), change = batch::warpSum(changes[i]);
      if (lane > 0) continue;
      out[(component * kMostOccupied + i) * n + p] = value;
      out[((2 + component) * kMostOccupied + i) * n + p] = change;
    }
  }
}

/// (F - epsilon_i) lambda_i = a_i - <a_i|i> i, lambda_i orthogonal to i, by a factorisation beside epsilon_i
/// and one correction for the distance. One warp a block, one block for each (trial, spinor).
template <int Slices>
__global__ void __launch_bounds__(32) respond(BatchView v) {
  constexpr int kRounds = 5;
  const int trial = blockIdx.x / kMostOccupied, o = blockIdx.x % kMostOccupied;
  const TrialInput& input = v.trials[trial];
  if (o >= input.table.occupied || !wanted(v, trial)) return;
  const int n = input.functions, size = 2 * n, lane = threadIdx.x;
  const double* x = v.x + trial * v.xSize();
  const double* pulls = v.s.pulls + trial * v.pullSize();
  const double* vector = v.vectors + trial * v.vectorSize() + o * size;
  double own[Slices], right[Slices], lambda[Slices];
  const auto dot = [](const double(&a)[Slices], const double(&b)[Slices]) {
    double sum = 0.0;
#pragma unroll
    for (int s = 0; s < Slices; ++s) sum += a[s] * b[s];
    return batch::warpSum(sum);
  };
#pragma unroll
  for (int s = 0; s < Slices; ++s) {
    const int row = lane + 32 * s;
    own[s] = row < size ? vector[row] : 0.0;
    right[s] = 0.0;
    if (row >= size) continue;
    const int component = row / n, q = row % n;  // small, large
    const double* functions = x + (component == 0 ? n * n : 0);
    const double* a = pulls + (component * kMostOccupied + o) * n;
    for (int p = 0; p <= q; ++p) right[s] += functions[p * n + q] * a[p];
  }
  const double along = dot(right, own);
#pragma unroll
  for (int s = 0; s < Slices; ++s) right[s] -= along * own[s];
  const double value = v.values[trial * kMostOccupied + o], distance = value - shiftBelow(value);
  factoriseShifted<Slices>(v.fock + trial * v.fockSize(), size, value - distance);
#pragma unroll
  for (int s = 0; s < Slices; ++s) lambda[s] = right[s];
  for (int round = 0; round < kRounds; ++round) {
    if (round > 0) {
#pragma unroll
      for (int s = 0; s < Slices; ++s) lambda[s] = right[s] + distance * lambda[s];
    }
    batch::solveFactorised<Slices>(packedTriangle(), size, lambda);
    const double part = dot(lambda, own);
#pragma unroll
    for (int s = 0; s < Slices; ++s) lambda[s] -= part * own[s];
  }
  double* out = v.s.lambda + trial * v.vectorSize() + o * size;
#pragma unroll
  for (int s = 0; s < Slices; ++s) {
    if (lane + 32 * s < size) out[lane + 32 * s] = lambda[s];
  }
  if (lane == 0) v.s.along[trial * kMostOccupied + o] = along;
}

/// coefficients[component][spinor][primitive] of vectors in the orthonormal basis.
__device__ void toPrimitives(const double* x, const double* vectors, int n, int occupied,
                             double* coefficients) {
  for (int e = threadIdx.x; e < 2 * occupied * n; e += kThreads) {
    const int component = e / (occupied * n), i = e / n % occupied, p = e % n;
    const double* functions = x + (component == 0 ? n * n : 0);
    const double* vector = vectors + i * 2 * n + component * n;
    double sum = 0.0;
    for (int q = p; q < n; ++q) sum += functions[p * n + q] * vector[q];
    coefficients[(component * kMostOccupied + i) * n + p] = sum;
  }
}

/// <dg_p|F - epsilon|s> of both components of a function.
struct Row {
  double small, large;
};

__device__ Row movedRow(const double* moved, int n, int p, double energy, const double* small,
                        const double* large) {
  const int square = n * n;
  Row row{0.0, 0.0};
  for (int q = 0; q < n; ++q) {
    const int e = q * n + p;
    row.large += (moved[kMovedLL * square + e] - energy * moved[kMovedLarge * square + e]) * large[q] +
                 moved[kMovedLS * square + e] * small[q];
    row.small += (moved[kMovedSS * square + e] - energy * moved[kMovedSmall * square + e]) * small[q] +
                 moved[kMovedSL * square + e] * large[q];
  }
  return row;
}

/// One block for each trial. Shared memory: coefficients of spinors and responses, and the terms.
__global__ void __launch_bounds__(kThreads) slopeTrials(BatchView v) {
  extern __shared__ double shared[];
  const int trial = blockIdx.x;
  if (!wanted(v, trial)) return;
  const TrialInput& input = v.trials[trial];
  const TableView& t = input.table;
  const int n = input.functions, occupied = t.occupied, square = n * n, half = kMostOccupied * n;
  double *spinors = shared, *lambdas = spinors + 2 * half, *ofRise = lambdas + 2 * half,
         *ofProlapse = ofRise + half;
  const double* x = v.x + trial * v.xSize();
  toPrimitives(x, v.vectors + trial * v.vectorSize(), n, occupied, spinors);
  toPrimitives(x, v.s.lambda + trial * v.vectorSize(), n, occupied, lambdas);
  __syncthreads();
  const double* moved = v.s.moved + trial * v.movedSize();
  const double* changes = v.s.pulls + trial * v.pullSize() + 2 * half;
  for (int e = threadIdx.x; e < occupied * n; e += kThreads) {
    const int i = e / n, p = e % n;
    const double* small = spinors + i * n;
    const double* large = spinors + half + i * n;
    const double *smallL = lambdas + i * n, *largeL = lambdas + half + i * n;
    const double energy = v.values[trial * kMostOccupied + i];
    const Row own = movedRow(moved, n, p, energy, small, large),
              response = movedRow(moved, n, p, energy, smallL, largeL);
    double overlapLarge = 0.0, overlapSmall = 0.0, weight = 0.0;
    for (int q = 0; q < n; ++q) {
      overlapLarge += moved[kMovedLarge * square + q * n + p] * large[q];
      overlapSmall += moved[kMovedSmall * square + q * n + p] * small[q];
    }
    for (int k = 0; k < t.negatives; ++k) {
      const double overlap = v.s.overlaps[(trial * kMostOccupied + i) * kMostNegatives + k];
      weight += overlap * overlap;
    }
    const double ofEnergy = 2.0 * (large[p] * own.large + small[p] * own.small);
    ofRise[e] = t.occupation[i] * ofEnergy;
    ofProlapse[e] =
        t.occupation[i] *
        (weight * ofEnergy + small[p] * changes[i * n + p] + large[p] * changes[half + i * n + p] -
         largeL[p] * own.large - smallL[p] * own.small - large[p] * response.large -
         small[p] * response.small -
         v.s.along[trial * kMostOccupied + i] * (large[p] * overlapLarge + small[p] * overlapSmall));
  }
  __syncthreads();
  for (int p = threadIdx.x; p < n; p += kThreads) {
    double rise = 0.0, prolapse = 0.0;
    for (int i = 0; i < occupied; ++i) {
      rise += ofRise[i * n + p];
      prolapse += ofProlapse[i * n + p];
    }
    v.s.results[trial].ofRise[p] = rise;
    v.s.results[trial].ofProlapse[p] = prolapse;
  }
}

template <int Slices>
void launchRespond(const BatchView& v, cudaStream_t stream) {
  const int bytes = batch::packedDoubles(2 * v.mostFunctions) * static_cast<int>(sizeof(double));
  batch::allowSharedMemory(respond<Slices>, bytes);
  respond<Slices><<<static_cast<unsigned>(v.count * kMostOccupied), 32, bytes, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace

void launchSlopes(const BatchView& v, int slices, cudaStream_t stream) {
  const unsigned count = static_cast<unsigned>(v.count);
  pullTrials<<<count, kThreads, 0, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
  switch (slices) {
    case 1:
      launchRespond<1>(v, stream);
      break;
    case 2:
      launchRespond<2>(v, stream);
      break;
    case 3:
      launchRespond<3>(v, stream);
      break;
    case 4:
      launchRespond<4>(v, stream);
      break;
    default:
      throw Error("no kernel for trials of this size");
  }
  const std::size_t bytes = 6 * sizeof(double) * kMostOccupied * static_cast<std::size_t>(v.mostFunctions);
  batch::allowSharedMemory(slopeTrials, static_cast<int>(bytes));
  slopeTrials<<<count, kThreads, bytes, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda::frozen
