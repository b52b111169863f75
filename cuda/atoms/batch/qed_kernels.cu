#include "cuda/atoms/batch/block_memory.hpp"
#include "cuda/atoms/batch/qed_kernels.hpp"

#include "cuda/atoms/batch/device_helpers.cuh"
#include "cuda/atoms/batch/primitive_functions.cuh"
#include "cuda/atoms/batch/shared_memory.hpp"
#include "cuda/core/common/check.hpp"

/// QED corrections by the trapezoidal rule in ln r, as qed/qed.cpp has them on the host: their matrices for
/// the self-consistent field, and their expectation values.
namespace prophet::cuda::batch {
namespace {

constexpr int kThreads = 256;
/// Points of which the functions are in shared memory at a time.
constexpr int kQedRows = 32;
enum Block { kLL, kSS, kLS };

/// One slot's potentials.
struct Potentials {
  const double* input;
  const QedShape& shape;
  __device__ Potentials(const QedView& q, int slot)
      : input(slotPart(q.input, slot, q.inputSize)), shape(q.shape) {}
  __device__ int points() const { return static_cast<int>(input[kQedCount]); }
  __device__ double radius(int i) const { return exp((input[kQedStart] + i) * kQedSpacing); }
  /// Potential number `vector` times its factor and the rule's weight, r kQedSpacing.
  __device__ double weighted(int vector, int a, int i, double r) const {
    const double* values = input + kQedFactors + shape.vectors * kMaxSymmetries;
    return input[kQedFactors + vector * kMaxSymmetries + a] * values[vector * points() + i] * r * kQedSpacing;
  }
};

/// Large and small components of a symmetry's primitives at `rows` points from `start` on: rows x n each.
__device__ void functionsAt(const View& v, const double* input, const Potentials& potentials, int a,
                            int count, int start, int rows, double* large, double* small) {
  const Symmetry symmetry = Symmetry::fromIndex(a);
  for (int e = threadIdx.x; e < rows * count; e += blockDim.x) {
    const double r = potentials.radius(start + e / count);
    const Primitive g = primitiveOf(symmetry, input[v.shape.inExponents + v.shape.exponents[a] + e % count]);
    const double common = radial::power(r, symmetry.l()) * exp(-g.zeta * r * r);
    large[e] = common * g.norm * r;
    small[e] = common * (g.small0 + g.small2 * r * r);
  }
}

/// Matrices of the potentials over the primitives. One block for each (slot, symmetry, block). Shared memory:
/// 2 kQedRows x n functions, and kQedRows potentials.
__global__ void qedMatrices(View v, QedView q) {
  extern __shared__ double shared[];
  const int slot = v.list[blockIdx.x], a = blockIdx.y, block = blockIdx.z, n = v.shape.n[a];
  const double* input = slotPart(v.input, slot, v.shape.inputSize);
  const int count = static_cast<int>(symmetryInput(v, input, a, kFunctions));
  const Potentials potentials(q, slot);
  double *large = shared, *small = shared + kQedRows * n, *weight = small + kQedRows * n;
  const double *left = block == kSS ? small : large, *right = block == kLL ? large : small;
  double* sum = slotPart(q.matrices, slot, q.matrixSize) + v.shape.blocks[a] / 2 * 3 + block * n * n;
  for (int start = 0; start < potentials.points(); start += kQedRows) {
    const int rows = min(kQedRows, potentials.points() - start);
    __syncthreads();
    functionsAt(v, input, potentials, a, count, start, rows, large, small);
    for (int i = threadIdx.x; i < rows; i += blockDim.x) {
      const double r = potentials.radius(start + i);
      weight[i] = 0.0;
      for (int vector = 0; vector < q.shape.vectors; ++vector) {
        if (q.shape.couples[vector] == (block == kLS))
          weight[i] += potentials.weighted(vector, a, start + i, r);
      }
    }
    __syncthreads();
    // LL and SS are symmetric: elements on and above the diagonal.
    const int elements = block == kLS ? count * count : count * (count + 1) / 2;
    for (int e = threadIdx.x; e < elements; e += blockDim.x) {
      int p = e / count, s = e % count;
      if (block != kLS) {
        s = static_cast<int>((sqrtf(8.0f * e + 1.0f) - 1.0f) * 0.5f);
        while (s * (s + 1) / 2 > e) --s;
        while ((s + 1) * (s + 2) / 2 <= e) ++s;
        p = e - s * (s + 1) / 2;
      }
      double part = 0.0;
      for (int i = 0; i < rows; ++i) part += left[i * count + p] * weight[i] * right[i * count + s];
      if (start > 0) part += sum[p * n + s];
      sum[p * n + s] = part;
      if (block != kLS) sum[s * n + p] = part;
    }
  }
}

/// core += X^T V X of the blocks. One block for each (slot, symmetry). Shared memory: n x n.
__global__ void addToCore(View v, QedView q) {
  extern __shared__ double half[];
  const int slot = v.list[blockIdx.x], a = blockIdx.y, n = v.shape.n[a], size = 2 * n;
  const double* input = slotPart(v.input, slot, v.shape.inputSize);
  const int count = static_cast<int>(symmetryInput(v, input, a, kFunctions));
  double* core = slotPart(v.core, slot, v.shape.matrixSize) + v.shape.matrix[a];
  if (v.state[slot].status != static_cast<int>(SlotStatus::Active)) return;
  for (int block = 0; block < 3; ++block) {
    const int row = block == kSS ? n : 0, column = block == kLL ? 0 : n;
    const double *left = orthonormalFunctions(v, slot, a, row / n),
                 *right = orthonormalFunctions(v, slot, a, column / n),
                 *matrix =
                     slotPart(q.matrices, slot, q.matrixSize) + v.shape.blocks[a] / 2 * 3 + block * n * n;
    __syncthreads();
    for (int e = threadIdx.x; e < count * count; e += blockDim.x) {
      const int p = e / count, s = e % count;
      double sum = 0.0;
      for (int k = 0; k <= s; ++k) sum += matrix[p * n + k] * right[k * n + s];
      half[e] = sum;
    }
    __syncthreads();
    for (int e = threadIdx.x; e < count * count; e += blockDim.x) {
      const int p = e / count, s = e % count;
      double sum = 0.0;
      for (int k = 0; k <= p; ++k) sum += left[k * n + p] * half[k * count + s];
      core[(row + p) * size + column + s] += sum;
      if (block == kLS) core[(column + s) * size + row + p] += sum;
    }
  }
}

/// One block for each (slot, symmetry). Shared memory: 2 kQedRows x n functions, and m x 2n coefficients over
/// the primitives.
__global__ void qedExpectations(View v, QedView q) {
  extern __shared__ double shared[];
  __shared__ double scratch[33];
  const int slot = v.list[blockIdx.x], a = blockIdx.y, n = v.shape.n[a], m = v.shape.m[a];
  const double* input = slotPart(v.input, slot, v.shape.inputSize);
  const int count = static_cast<int>(symmetryInput(v, input, a, kFunctions));
  const double *occupation = input + v.shape.inOccupation + v.shape.firstOrbital[a],
               *coefficients = slotPart(v.coefficients[1 - v.current], slot, v.shape.coefficientSize) +
                               v.shape.coefficients[a];
  const Potentials potentials(q, slot);
  double *large = shared, *small = shared + kQedRows * n, *c = small + kQedRows * n;
  for (int e = threadIdx.x; e < m * 2 * n; e += blockDim.x) c[e] = coefficients[e];
  double sum[kMostQedParts] = {};
  for (int start = 0; start < potentials.points(); start += kQedRows) {
    const int rows = min(kQedRows, potentials.points() - start);
    __syncthreads();
    functionsAt(v, input, potentials, a, count, start, rows, large, small);
    __syncthreads();
    for (int e = threadIdx.x; e < rows * m; e += blockDim.x) {
      const int i = e / m, o = e % m;
      double largeValue = 0.0, smallValue = 0.0;
      for (int p = 0; p < count; ++p) {
        largeValue += c[o * 2 * n + p] * large[i * count + p];
        smallValue += c[o * 2 * n + n + p] * small[i * count + p];
      }
      const double local = occupation[o] * (largeValue * largeValue + smallValue * smallValue),
                   coupled = 2.0 * occupation[o] * largeValue * smallValue, r = potentials.radius(start + i);
#pragma unroll
      for (int vector = 0; vector < kMostQedVectors; ++vector) {
        if (vector >= q.shape.vectors) break;
        const double value =
            (q.shape.couples[vector] ? coupled : local) * potentials.weighted(vector, a, start + i, r);
#pragma unroll
        for (int part = 0; part < kMostQedParts; ++part)
          sum[part] += q.shape.part[vector] == part ? value : 0.0;
      }
    }
  }
  double* out = slotPart(q.parts, slot, v.shape.symmetries * kMostQedParts) + a * kMostQedParts;
#pragma unroll
  for (int part = 0; part < kMostQedParts; ++part) {
    const double whole = blockSum(sum[part], scratch);
    if (threadIdx.x == 0) out[part] = whole;
  }
}

}  // namespace

void launchQedMatrices(const View& v, const QedView& q, cudaStream_t stream) {
  const auto count = static_cast<unsigned>(v.count), symmetries = static_cast<unsigned>(v.shape.symmetries);
  const int bytes = bytesOf(qedMatrixDoubles(v.shape)), square = bytesOf(squareDoubles(v.shape));
  allowSharedMemory(qedMatrices, bytes);
  qedMatrices<<<dim3(count, symmetries, 3), kThreads, bytes, stream>>>(v, q);
  PROPHET_CUDA_CHECK_LAUNCH();
  allowSharedMemory(addToCore, square);
  addToCore<<<dim3(count, symmetries), kThreads, square, stream>>>(v, q);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchQedParts(const View& v, const QedView& q, cudaStream_t stream) {
  const int bytes = bytesOf(qedExpectationDoubles(v.shape));
  allowSharedMemory(qedExpectations, bytes);
  qedExpectations<<<dim3(static_cast<unsigned>(v.count), static_cast<unsigned>(v.shape.symmetries)), kThreads,
                    bytes, stream>>>(v, q);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda::batch
