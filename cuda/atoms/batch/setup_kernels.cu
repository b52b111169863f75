#include "atoms/scf/screening.hpp"
#include "cuda/atoms/batch/block_memory.hpp"
#include "cuda/atoms/batch/device_helpers.cuh"
#include "cuda/atoms/batch/kernels.hpp"
#include "cuda/atoms/batch/nuclear_table.hpp"
#include "cuda/atoms/batch/primitive_functions.cuh"
#include "cuda/atoms/batch/shared_memory.hpp"
#include "cuda/atoms/integrals/attraction.cuh"
#include "cuda/core/common/check.hpp"
#include "cuda/core/common/small_cholesky.cuh"

namespace prophet::cuda::batch {
namespace {

constexpr int kThreads = 256;

/// The nucleus whose attraction has a closed form: the table of another one holds what differs from it.
__device__ NucleusView nucleusOf(const double* input) {
  return {input[kCharge],
          {static_cast<AttractionForm>(static_cast<int>(input[kAttraction])), input[kNuclearSize]}};
}

struct Scratch {
  double *xLarge, *xSmall, *dualSmall, *work;  ///< the first two stay
};

/// The slot's part of w that belongs to a symmetry serves as scratch during the set-up.
__device__ Scratch scratchOf(const View& v, int slot, int a) {
  double* base = bracketOf(v, slot, a);
  return {orthonormalFunctions(v, slot, a, 0), orthonormalFunctions(v, slot, a, 1), base,
          base + v.shape.n[a] * v.shape.n[a]};
}

/// block (n x n of a 2n x 2n matrix and of the nuclear blocks) = X^T V X with V from closed forms and,
/// where the nucleus has one, its table.
__device__ void nuclearBlock(const View& v, const double* input, const double* table, int a, int component,
                             int count, const Scratch& s, double* v0, double* core, double* nuclear) {
  const Symmetry symmetry = Symmetry::fromIndex(a);
  const int n = v.shape.n[a], l = symmetry.l();
  const double* x = component == 0 ? s.xLarge : s.xSmall;
  const double* zeta = input + v.shape.inExponents + v.shape.exponents[a];
  const bool tabulated = input[kTableCount] != 0.0;
  const NucleusView nucleus = nucleusOf(input);
  for (int e = threadIdx.x; e < count * count; e += blockDim.x) {
    const int p = e / count, q = e % count;
    const Primitive f = primitiveOf(symmetry, zeta[max(p, q)]), g = primitiveOf(symmetry, zeta[min(p, q)]);
    const double closed = attraction(nucleus, component == 0 ? largePair(f, l, g, l) : smallPair(f, l, g, l));
    v0[e] = tabulated ? closed + table[component * n * n + p * n + q] : closed;
  }
  __syncthreads();
  for (int e = threadIdx.x; e < count * count; e += blockDim.x) {
    const int p = e / count, q = e % count;
    double sum = 0.0;
    for (int k = 0; k <= q; ++k) sum += v0[p * count + k] * x[k * n + q];
    s.work[p * n + q] = sum;
  }
  __syncthreads();
  const double shift = component == 0 ? 0.0 : -2.0 * input[kC] * input[kC];
  for (int e = threadIdx.x; e < count * count; e += blockDim.x) {
    const int p = e / count, q = e % count;
    double sum = 0.0;
    for (int k = 0; k <= p; ++k) sum += x[k * n + p] * s.work[k * n + q];
    nuclear[component * n * n + p * n + q] = sum;
    const int offset = component * n;
    core[(offset + p) * 2 * n + offset + q] = sum + (p == q ? shift : 0.0);
  }
  __syncthreads();
}

/// Matrices of the table's potential over the primitives, by the trapezoidal rule in ln r. One block for each
/// (slot, symmetry, component). Shared memory: kTableRows x n functions, and as many potentials.
__global__ void tableMatrices(View v) {
  extern __shared__ double functions[];
  const int slot = v.list[blockIdx.x], a = blockIdx.y, component = blockIdx.z, n = v.shape.n[a];
  const double* input = slotPart(v.input, slot, v.shape.inputSize);
  const int points = static_cast<int>(input[kTableCount]), first = static_cast<int>(input[kTableFirst]);
  if (points == 0) return;
  const Symmetry symmetry = Symmetry::fromIndex(a);
  const int count = static_cast<int>(symmetryInput(v, input, a, kFunctions));
  double* weight = functions + kTableRows * n;
  double* sum = slotPart(v.tableNuclear, slot, v.shape.blockSize) + v.shape.blocks[a] + component * n * n;
  for (int start = 0; start < points; start += kTableRows) {
    const int rows = min(kTableRows, points - start);
    __syncthreads();
    for (int e = threadIdx.x; e < rows * count; e += blockDim.x) {
      const double r = exp((first + start + e / count) * kTableSpacing);
      const Primitive g =
          primitiveOf(symmetry, input[v.shape.inExponents + v.shape.exponents[a] + e % count]);
      const double common = radial::power(r, symmetry.l()) * exp(-g.zeta * r * r);
      functions[e] = common * (component == 0 ? g.norm * r : g.small0 + g.small2 * r * r);
    }
    for (int i = threadIdx.x; i < rows; i += blockDim.x)
      weight[i] =
          input[v.shape.inTable + start + i] * kTableSpacing * exp((first + start + i) * kTableSpacing);
    __syncthreads();
    for (int e = threadIdx.x; e < count * count; e += blockDim.x) {
      const int p = e / count, q = e % count;
      double part = 0.0;
      for (int i = 0; i < rows; ++i) part += functions[i * count + p] * weight[i] * functions[i * count + q];
      double& own = sum[p * n + q];
      own = start == 0 ? part : own + part;
    }
  }
}

/// One block for each (slot, symmetry). Shared memory: one n x n matrix.
__global__ void setUpSpace(View v) {
  extern __shared__ double u[];
  __shared__ double reduction[33];
  const int slot = v.list[blockIdx.x], a = blockIdx.y, n = v.shape.n[a], size = 2 * n;
  const Symmetry symmetry = Symmetry::fromIndex(a);
  const int l = symmetry.l();
  const double* input = slotPart(v.input, slot, v.shape.inputSize);
  const double* zeta = input + v.shape.inExponents + v.shape.exponents[a];
  const int count = static_cast<int>(symmetryInput(v, input, a, kFunctions));
  double* core = slotPart(v.core, slot, v.shape.matrixSize) + v.shape.matrix[a];
  double* nuclear = slotPart(v.nuclear, slot, v.shape.blockSize) + v.shape.blocks[a];
  const Scratch s = scratchOf(v, slot, a);
  for (int e = threadIdx.x; e < size * size; e += blockDim.x) core[e] = 0.0;
  for (int e = threadIdx.x; e < 2 * n * n; e += blockDim.x) nuclear[e] = 0.0;
  __syncthreads();
  for (int component = 0; component < 2; ++component) {
    for (int e = threadIdx.x; e < count * count; e += blockDim.x) {
      const double f = zeta[e / count], g = zeta[e % count];
      u[e] = radial::halfPower(2.0 * sqrt(f * g) / (f + g), 2 * l + 3 + 2 * component);
    }
    __syncthreads();
    double* x = component == 0 ? s.xLarge : s.xSmall;
    if (!cholesky(u, count) || !(invert(u, count, x, n, 1, reduction) < 1.0 / input[kDependency])) {
      if (threadIdx.x == 0) v.state[slot].status = static_cast<int>(SlotStatus::Dependent);
      return;
    }
    if (component == 1) {
      for (int e = threadIdx.x; e < count * count; e += blockDim.x)
        s.dualSmall[(e / count) * n + e % count] = u[e];
    }
    __syncthreads();
  }
  const double c = input[kC];
  for (int e = threadIdx.x; e < count * count; e += blockDim.x) {
    const int q = e / count, p = e % count;
    double sum = 0.0;
    for (int r = q; r <= p; ++r)
      sum += s.dualSmall[q * n + r] * sqrt((2 * l + 3) * zeta[r]) * s.xLarge[r * n + p];
    core[(n + q) * size + p] = c * sum;
    core[p * size + n + q] = c * sum;
  }
  __syncthreads();
  const double* table = slotPart(v.tableNuclear, slot, v.shape.blockSize) + v.shape.blocks[a];
  for (int component = 0; component < 2; ++component)
    nuclearBlock(v, input, table, a, component, count, s, u, core, nuclear);
}

/// Weight of the first grid point, which carries all that lies below it (GridFockBuilder explains).
__device__ double foldTail(int l, double h) { return 1.0 / sqrt(1.0 - exp(-(2 * l + 3) * h)); }

/// Orthonormal functions on 16 grid points; one block for each (slot, symmetry, 16 points). Shared memory:
/// a 16 x n matrix of primitives for each component.
__global__ void evaluateFunctions(View v) {
  extern __shared__ double primitives[];
  const int slot = v.list[blockIdx.x], a = blockIdx.y, n = v.shape.n[a], first = blockIdx.z * kFunctionRows;
  const Symmetry symmetry = Symmetry::fromIndex(a);
  const double* input = slotPart(v.input, slot, v.shape.inputSize);
  const int count = static_cast<int>(symmetryInput(v, input, a, kFunctions));
  const Scratch s = scratchOf(v, slot, a);
  const bool slopes = v.shape.components > 2;
  double *large = primitives, *small = primitives + kFunctionRows * n;
  double *largeSlope = small + kFunctionRows * n, *smallSlope = largeSlope + kFunctionRows * n;
  for (int e = threadIdx.x; e < kFunctionRows * count; e += blockDim.x) {
    const int row = e / count, p = e % count;
    const double r = input[kFirstRadius] * exp((first + row) * v.shape.h);
    const Primitive g = primitiveOf(symmetry, input[v.shape.inExponents + v.shape.exponents[a] + p]);
    const double common =
        radial::power(r, symmetry.l()) * sqrt(sqrt(r)) * sqrt(v.shape.h) * exp(-g.zeta * r * r);
    // A functional knows no tail: its densities are those of the points themselves.
    const bool foremost = first + row == 0 && v.shape.functional == 0;
    large[row * n + p] = (foremost ? foldTail(symmetry.l(), v.shape.h) : 1.0) * g.norm * common * r;
    small[row * n + p] =
        (foremost ? foldTail(symmetry.lSmall(), v.shape.h) : 1.0) * common * (g.small0 + g.small2 * r * r);
    if (slopes) {
      const double fall = 2 * g.zeta * r * r;
      largeSlope[row * n + p] = (symmetry.l() + 1.5 - fall) * large[row * n + p];
      smallSlope[row * n + p] =
          (symmetry.l() + 0.5 - fall) * small[row * n + p] + 2 * g.small2 * r * r * common;
    }
  }
  __syncthreads();
  double* phi = slotPart(v.phi, slot, v.shape.phiSize) + v.shape.phi[a];
  for (int e = threadIdx.x; e < kFunctionRows * n; e += blockDim.x) {
    const int row = e / n, q = e % n;
    for (int component = 0; component < v.shape.components; ++component) {
      const double* functions = primitives + component * kFunctionRows * n;
      const double* x = component % 2 == 0 ? s.xLarge : s.xSmall;
      double sum = 0.0;
      for (int p = 0; q < count && p <= q; ++p) sum += functions[row * n + p] * x[p * n + q];
      phi[(component * v.shape.points + first + row) * n + q] = sum;
    }
  }
}

/// The screening of a symmetry, hartree at r in bohr.
__device__ double screeningAt(const View& v, const double* input, int a, double r) {
  if (symmetryInput(v, input, a, kTabulated) == 0.0)
    return thomasFermiScreening(input[kCharge], input[kElectrons], r);
  const double* rates = input + v.shape.inScreening;
  return screeningPotential(rates, rates + (a + 1) * kScreeningTerms, r);
}

/// Attraction by a homogeneous sphere of the nucleus's rms radius.
__device__ double attractionAt(const double* input, double r) {
  const NuclearAttraction nucleus = nucleusOf(input).attraction;
  double radius = 0.0;
  if (nucleus.form == AttractionForm::Sphere) radius = nucleus.size;
  if (nucleus.form == AttractionForm::Gaussian) radius = sqrt(2.5 / nucleus.size);
  const double x = r / radius;
  return -input[kCharge] * (r < radius ? (1.5 - 0.5 * x * x) / radius : 1.0 / r);
}

/// mixed = core + screening potential, and that with the nucleus's attraction into guessPotential; one block
/// for each (slot, symmetry, component). Shared: weights.
__global__ void guessHamiltonian(View v) {
  extern __shared__ double weight[];
  const int slot = v.list[blockIdx.x], a = blockIdx.y, component = blockIdx.z, n = v.shape.n[a], size = 2 * n;
  const int points = v.shape.points;
  const double* input = slotPart(v.input, slot, v.shape.inputSize);
  for (int i = threadIdx.x; i < points; i += blockDim.x) {
    const double r = input[kFirstRadius] * exp(i * v.shape.h);
    const double screening = screeningAt(v, input, a, r);
    weight[i] = screening * sqrt(r);
    if (component == 0) {
      guessPotential(v, slot, a)[i] = screening + attractionAt(input, r);
      guessPotential(v, slot, a)[points + i] = r * r;
    }
  }
  __syncthreads();
  const double* phi = slotPart(v.phi, slot, v.shape.phiSize) + v.shape.phi[a] +
                      static_cast<long long>(component) * points * n;
  const double* core = slotPart(v.core, slot, v.shape.matrixSize) + v.shape.matrix[a];
  double* mixed = slotPart(v.mixed, slot, v.shape.matrixSize) + v.shape.matrix[a];
  for (int e = threadIdx.x; e < n * n; e += blockDim.x) {
    const int p = e / n, q = e % n;
    double sum = 0.0;
    for (int i = 0; i < points; ++i) sum += phi[i * n + p] * weight[i] * phi[i * n + q];
    const int row = component * n + p, own = row * size + component * n + q,
              other = row * size + (1 - component) * n + q;
    mixed[own] = core[own] + sum;
    mixed[other] = core[other];
  }
}

__global__ void resetState(View v) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < v.count) v.state[v.list[index]] = SlotState{};
}

}  // namespace

void launchSetup(const View& v, bool tables, cudaStream_t stream) {
  const unsigned count = static_cast<unsigned>(v.count),
                 symmetries = static_cast<unsigned>(v.shape.symmetries);
  const int square = bytesOf(squareDoubles(v.shape)), rows = bytesOf(functionDoubles(v.shape)),
            table = bytesOf(tableDoubles(v.shape));
  allowSharedMemory(setUpSpace, square);
  allowSharedMemory(evaluateFunctions, rows);
  resetState<<<(count + 127) / 128, 128, 0, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
  if (tables) {
    tableMatrices<<<dim3(count, symmetries, 2), kThreads, table, stream>>>(v);
    PROPHET_CUDA_CHECK_LAUNCH();
  }
  setUpSpace<<<dim3(count, symmetries), kThreads, square, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
  evaluateFunctions<<<dim3(count, symmetries, v.shape.points / kFunctionRows), kThreads, rows, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchGuess(const View& v, cudaStream_t stream) {
  guessHamiltonian<<<dim3(static_cast<unsigned>(v.count), static_cast<unsigned>(v.shape.symmetries), 2),
                     kThreads, bytesOf(guessDoubles(v.shape)), stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda::batch
