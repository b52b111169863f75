#include "core/common/error.hpp"
#include "cuda/atoms/batch/eigenvalue_search.cuh"
#include "cuda/atoms/batch/shared_memory.hpp"
#include "cuda/atoms/frozen/shifted_ldl.cuh"
#include "cuda/atoms/frozen/trial_view.hpp"
#include "cuda/core/common/check.hpp"

/// Occupied eigenvectors of the trials' Fock matrices, one warp for each. The eigenvalues of a trial that is
/// any good are those of the reference to many digits: inverse iteration from beside them gains three at
/// every step, with one factorisation. At the eigenvalue itself pivots are noise: without its last functions,
/// which hardly matter, the matrix is singular there too. The pivots' signs count the eigenvalues below the
/// shift, so that a result is known to be the wanted one; where it is not, the trial is left to the host.
namespace prophet::cuda::frozen {
namespace {

constexpr int kMostShifts = 6, kMostSteps = 8;
/// Change of a vector in a step after which its error is below rounding in the eigenvalue.
constexpr double kVectorTolerance = 1e-9;

/// Rayleigh quotient of a vector of length 1.
template <int Slices>
__device__ double quotient(const double* __restrict__ f, int size, const double (&x)[Slices]) {
  const int lane = threadIdx.x;
  double sum = 0.0, own[Slices] = {};
#pragma unroll 4
  for (int j = 0; j < size; ++j) {
    const double xj = batch::entryOf<Slices>(x, j);
#pragma unroll
    for (int s = 0; s < Slices; ++s) {
      if (lane + 32 * s < size) own[s] += f[j * size + lane + 32 * s] * xj;
    }
  }
#pragma unroll
  for (int s = 0; s < Slices; ++s) sum += x[s] * own[s];
  return batch::warpSum(sum);
}

/// The eigenvector number `wanted` (from 0), whose eigenvalue is near `shift`; false where it is not found.
template <int Slices>
__device__ bool find(const double* f, int size, int wanted, double shift, double (&x)[Slices],
                     double& value) {
#pragma unroll
  for (int s = 0; s < Slices; ++s) {
    const int row = threadIdx.x + 32 * s;
    x[s] = row < size ? batch::startEntry(row) : 0.0;
  }
  for (int round = 0; round < kMostShifts; ++round) {
    const int below = factoriseShifted<Slices>(f, size, shift);
    if (below != wanted && below != wanted + 1) return false;
    bool settled = false;
    for (int step = 0; step < kMostSteps && !settled; ++step) {
      double old[Slices];
#pragma unroll
      for (int s = 0; s < Slices; ++s) old[s] = x[s];
      batch::solveFactorised<Slices>(packedTriangle(), size, x);
      if (!batch::normalise<Slices>(x)) return false;
      settled = batch::distance<Slices>(x, old) < kVectorTolerance;
    }
    value = quotient<Slices>(f, size, x);
    if (settled) {
      const double margin = 1e-9 * fmax(1.0, fabs(value));
      return below == wanted ? value > shift - margin : value < shift + margin;
    }
    shift = shiftBelow(value);
  }
  return false;
}

/// One warp a block, one block for each (trial, spinor). Shared memory: the packed triangle.
template <int Slices>
__global__ void __launch_bounds__(32) eigenvectors(BatchView v) {
  const int trial = blockIdx.x / kMostOccupied, o = blockIdx.x % kMostOccupied;
  const TrialInput& input = v.trials[trial];
  if (o >= input.table.occupied) return;
  const int status = __shfl_sync(0xffffffffu, v.status[trial], 0);
  if (status != static_cast<int>(TrialStatus::Measured)) return;
  const int n = input.functions, size = 2 * n;
  double x[Slices], value = 0.0;
  const bool found =
      find<Slices>(v.fock + trial * v.fockSize(), size, n + o, shiftBelow(input.table.energies[o]), x, value);
  double* out = v.vectors + trial * v.vectorSize() + o * size;
#pragma unroll
  for (int s = 0; s < Slices; ++s) {
    if (threadIdx.x + 32 * s < size) out[threadIdx.x + 32 * s] = x[s];
  }
  if (threadIdx.x > 0) return;
  v.values[trial * kMostOccupied + o] = value;
  if (!found) v.status[trial] = static_cast<int>(TrialStatus::NotFound);
}

template <int Slices>
void launch(const BatchView& v, cudaStream_t stream) {
  const int bytes = batch::packedDoubles(2 * v.mostFunctions) * static_cast<int>(sizeof(double));
  batch::allowSharedMemory(eigenvectors<Slices>, bytes);
  eigenvectors<Slices><<<static_cast<unsigned>(v.count * kMostOccupied), 32, bytes, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace

void launchEigenvectors(const BatchView& v, int slices, cudaStream_t stream) {
  switch (slices) {
    case 1:
      return launch<1>(v, stream);
    case 2:
      return launch<2>(v, stream);
    case 3:
      return launch<3>(v, stream);
    case 4:
      return launch<4>(v, stream);
    default:
      throw Error("no kernel for trials of this size");
  }
}

}  // namespace prophet::cuda::frozen
