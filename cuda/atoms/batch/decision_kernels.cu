#include "atoms/atom/symmetry.hpp"
#include "atoms/scf/convergence.hpp"
#include "cuda/atoms/batch/block_memory.hpp"
#include "cuda/atoms/batch/device_helpers.cuh"
#include "cuda/atoms/batch/kernels.hpp"
#include "cuda/atoms/batch/shared_memory.hpp"
#include "cuda/core/common/check.hpp"

namespace prophet::cuda::batch {
namespace {

constexpr int kThreads = 256;

/// What one symmetry's step needs in shared memory; every matrix m x 2n.
struct Vectors {
  double *c, *old, *fock;  ///< coefficients now and before, F_C c
  double *w, *u;           ///< 2n: (F_O - F_C) o, and the correction that makes o an eigenvector
};

struct Step {
  const double *core, *nuclear, *closedFock;
  int n, size, m, closed;
  bool open;
  double degeneracy, openElectrons;
  const double* occupation;
};

/// Products F_C c, and the sums that make the energy.
__device__ void products(const Step& s, const Vectors& x, double c, double* partial, double* scratch) {
  double core = 0.0, nuclear = 0.0, fock = 0.0, momentum = 0.0;
  for (int e = threadIdx.x; e < s.m * s.size; e += blockDim.x) {
    const int o = e / s.size, r = e % s.size, component = r / s.n;
    const double *vector = x.c + o * s.size, *half = vector + component * s.n;
    double coreSum = 0.0, fockSum = 0.0, nuclearSum = 0.0;
    for (int q = 0; q < s.size; ++q) {
      coreSum += s.core[q * s.size + r] * vector[q];
      fockSum += s.closedFock[q * s.size + r] * vector[q];
    }
    const double* block = s.nuclear + component * s.n * s.n;
    for (int q = 0; q < s.n; ++q) nuclearSum += block[q * s.n + r % s.n] * half[q];
    x.fock[e] = fockSum;
    const double weight = s.occupation[o] * vector[r];
    core += weight * coreSum;
    nuclear += weight * nuclearSum;
    fock += weight * fockSum;
    momentum += weight * (coreSum - nuclearSum + (component == 1 ? 2.0 * c * c * vector[r] : 0.0));
  }
  core = blockSum(core, scratch);
  nuclear = blockSum(nuclear, scratch);
  fock = blockSum(fock, scratch);
  momentum = blockSum(momentum, scratch);
  if (threadIdx.x != 0) return;
  partial[kCoreSum] = core;
  partial[kNuclearSum] = nuclear;
  partial[kFockSum] = fock;
  partial[kMomentumSum] = momentum;
}

/// w = -Q o and u = w - (1 + n/(g - n)) P_c w - (o.w) o / 2 (fock_operator.cpp has the derivation).
__device__ void openCorrection(const Step& s, const Vectors& x, const double* openFock, double* scratch) {
  const double* o = x.c + s.closed * s.size;
  for (int r = threadIdx.x; r < s.size; r += blockDim.x) {
    x.w[r] = -openFock[r];
    x.u[r] = -openFock[r];
  }
  __syncthreads();
  const double ratio = 1.0 + s.openElectrons / (s.degeneracy - s.openElectrons);
  for (int k = 0; k <= s.closed; ++k) {
    const double* vector = x.c + k * s.size;
    double dot = 0.0;
    for (int r = threadIdx.x; r < s.size; r += blockDim.x) dot += vector[r] * x.w[r];
    dot = blockSum(dot, scratch);
    const double factor = k < s.closed ? ratio * dot : 0.5 * dot;
    for (int r = threadIdx.x; r < s.size; r += blockDim.x) x.u[r] -= factor * vector[r];
  }
  double open = 0.0;
  for (int r = threadIdx.x; r < s.size; r += blockDim.x) open += o[r] * openFock[r];
  open = blockSum(open, scratch);
  if (threadIdx.x == 0) scratch[32] = s.openElectrons * open;
  __syncthreads();
}

/// Expectation values of the effective Fock matrix; one warp for each spinor.
__device__ void spinorEnergies(const Step& s, const Vectors& x, double* energies) {
  for (int o = threadIdx.x / 32; o < s.m; o += blockDim.x / 32) {
    double sum = 0.0;
    for (int r = threadIdx.x % 32; r < s.size; r += 32) {
      const double correction = o == s.closed ? 2.0 * x.u[r] : 0.0;
      sum += x.c[o * s.size + r] * (x.fock[o * s.size + r] + correction);
    }
    for (int step = 16; step > 0; step >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (threadIdx.x % 32 == 0) energies[o] = sum;
  }
}

/// Effective Fock matrix, gradient, and largest change of the density, element by element.
__device__ void matrices(const Step& s, const Vectors& x, double* effective, double* gradient,
                         double* partial, double* scratch) {
  double change[3] = {}, steepest = 0.0;
  const double* o = x.c + s.closed * s.size;
  for (int e = threadIdx.x; e < s.size * s.size; e += blockDim.x) {
    const int r = e / s.size, q = e % s.size;
    double value = s.closedFock[e], slope = 0.0, difference = 0.0;
    for (int k = 0; k < s.m; ++k) {
      const double *c = x.c + k * s.size, *old = x.old + k * s.size, *f = x.fock + k * s.size;
      difference += s.occupation[k] * (c[r] * c[q] - old[r] * old[q]);
      if (k < s.closed) slope += s.degeneracy * (c[r] * f[q] - f[r] * c[q]);
    }
    if (s.open) {
      const double* f = x.fock + s.closed * s.size;
      value += o[r] * x.u[q] + x.u[r] * o[q];
      slope += s.openElectrons * (o[r] * (f[q] + x.w[q]) - (f[r] + x.w[r]) * o[q]);
    }
    effective[e] = value;
    gradient[e] = slope;
    steepest = largerOf(fabs(slope), steepest);
    const int block = (r >= s.n) + (q >= s.n);
    change[block] = largerOf(fabs(difference), change[block]);
  }
  for (int block = 0; block < 3; ++block) {
    const double largest = blockMax(change[block], scratch);
    if (threadIdx.x == 0) partial[kChangeLL + block] = largest;
  }
  steepest = blockMax(steepest, scratch);
  if (threadIdx.x == 0) partial[kGradient] = steepest;
}

/// One block for each (slot, symmetry). Shared memory: three m x 2n matrices and two vectors.
__global__ void finishFock(View v) {
  extern __shared__ double shared[];
  __shared__ double scratch[33];
  const int slot = v.list[blockIdx.x], a = blockIdx.y;
  const double* input = slotPart(v.input, slot, v.shape.inputSize);
  const SlotState& state = v.state[slot];
  const int n = v.shape.n[a], m = v.shape.m[a], matrix = v.shape.matrix[a];
  const Step s{slotPart(v.core, slot, v.shape.matrixSize) + matrix,
               slotPart(v.nuclear, slot, v.shape.blockSize) + v.shape.blocks[a],
               slotPart(v.closedFock, slot, v.shape.matrixSize) + matrix,
               n,
               2 * n,
               m,
               static_cast<int>(symmetryInput(v, input, a, kClosed)),
               symmetryInput(v, input, a, kOpen) != 0.0,
               static_cast<double>(Symmetry::fromIndex(a).degeneracy()),
               symmetryInput(v, input, a, kOpenElectrons),
               input + v.shape.inOccupation + v.shape.firstOrbital[a]};
  const int count = m * s.size;
  const Vectors x{shared, shared + count, shared + 2 * count, shared + 3 * count,
                  shared + 3 * count + s.size};
  const double* now =
      slotPart(v.coefficients[v.current], slot, v.shape.coefficientSize) + v.shape.coefficients[a];
  const double* before =
      slotPart(v.coefficients[1 - v.current], slot, v.shape.coefficientSize) + v.shape.coefficients[a];
  for (int e = threadIdx.x; e < count; e += blockDim.x) {
    x.c[e] = now[e];
    x.old[e] = state.iteration == 0 ? 0.0 : before[e];
  }
  if (threadIdx.x == 0) scratch[32] = 0.0;
  __syncthreads();
  double* partial = slotPart(v.partials, slot, kMaxSymmetries * kPartials) + a * kPartials;
  products(s, x, input[kC], partial, scratch);
  __syncthreads();
  if (s.open)
    openCorrection(s, x, slotPart(v.openFock, slot, v.shape.vectorSize) + v.shape.vectors[a], scratch);
  if (threadIdx.x == 0) partial[kOpenSum] = scratch[32];
  spinorEnergies(
      s, x, slotPart(v.energies, slot, v.shape.firstOrbital[v.shape.symmetries]) + v.shape.firstOrbital[a]);
  const int next = state.newest;
  const long long history = static_cast<long long>(kDiisDepth) * v.shape.matrixSize;
  const long long at = static_cast<long long>(next) * v.shape.matrixSize + matrix;
  matrices(s, x, slotPart(v.focks, slot, history) + at, slotPart(v.errors, slot, history) + at, partial,
           scratch);
}

/// Energy and convergence of one slot; one thread for each.
__global__ void decide(View v) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= v.count) return;
  const int slot = v.list[index];
  const double* input = slotPart(v.input, slot, v.shape.inputSize);
  const double* partial = slotPart(v.partials, slot, kMaxSymmetries * kPartials);
  SlotState& s = v.state[slot];
  double sum[kPartials] = {};
  for (int a = 0; a < v.shape.symmetries; ++a, partial += kPartials) {
    for (int k = 0; k < kChangeLL; ++k) sum[k] += partial[k];
    for (int k = kChangeLL; k < kPartials; ++k) sum[k] = largerOf(partial[k], sum[k]);
  }
  const double previous = s.energy;
  s.nuclear = sum[kNuclearSum];
  s.kinetic = sum[kCoreSum] - sum[kNuclearSum];
  s.twoElectron = 0.5 * (sum[kFockSum] - sum[kCoreSum]) - 0.5 * sum[kOpenSum] - 0.5 * s.exchangePotential;
  s.energy = s.kinetic + s.nuclear + s.twoElectron + s.exchangeCorrelation;
  s.change = s.iteration == 0 ? s.energy : s.energy - previous;
  s.virialRatio = -(s.nuclear + s.twoElectron + s.exchangeVirial) / sum[kMomentumSum];
  s.densityLL = sum[kChangeLL];
  s.densitySL = sum[kChangeSL];
  s.densitySS = sum[kChangeSS];
  ++s.iteration;
  if (s.status != static_cast<int>(SlotStatus::Active)) return;
  if (!isfinite(s.energy)) {
    s.status = static_cast<int>(SlotStatus::NotANumber);
  } else if (s.densityLL < input[kThresholdLL] && s.densitySL < input[kThresholdSL] &&
             s.densitySS < input[kThresholdSS] && fabs(s.change) < input[kEnergyThreshold] * fabs(s.energy) &&
             isSmallGradient(sum[kGradient], s.energy)) {
    s.status = static_cast<int>(SlotStatus::Converged);
  } else if (s.iteration >= static_cast<int>(input[kMaxIterations])) {
    s.status = static_cast<int>(SlotStatus::OutOfIterations);
  }
}

}  // namespace

void launchDecision(const View& v, cudaStream_t stream) {
  const int bytes = bytesOf(decisionDoubles(v.shape));
  const unsigned count = static_cast<unsigned>(v.count);
  allowSharedMemory(finishFock, bytes);
  finishFock<<<dim3(count, static_cast<unsigned>(v.shape.symmetries)), kThreads, bytes, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
  decide<<<(count + 63) / 64, 64, 0, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda::batch
