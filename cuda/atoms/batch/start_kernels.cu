
#include "atoms/atom/symmetry.hpp"
#include "atoms/integrals/radial.hpp"
#include "cuda/atoms/batch/block_memory.hpp"
#include "cuda/atoms/batch/device_helpers.cuh"
#include "cuda/atoms/batch/kernels.hpp"
#include "cuda/atoms/batch/shared_memory.hpp"
#include "cuda/core/common/check.hpp"

/// Spinors from and to the host: those that a calculation starts from, projected onto its own functions as
/// scf/start_spinors.hpp has it, and those that it ends with, over its primitives.
namespace prophet::cuda::batch {
namespace {

constexpr int kThreads = 256;
/// Least norm of what is left of a spinor, as projectSpinors has it.
constexpr double kLeastNorm = 0.5;

/// Overlaps of the symmetry's functions (rows) with those of the start (columns) into s (count x others).
__device__ void overlaps(const double* zeta, int count, const double* startZeta, int others, int l,
                         int component, double* s) {
  for (int e = threadIdx.x; e < count * others; e += blockDim.x) {
    const double f = zeta[e / others], g = startZeta[e % others];
    s[e] = radial::halfPower(2.0 * sqrt(f * g) / (f + g), 2 * l + 3 + 2 * component);
  }
}

/// Orthonormalises the m columns of c (each 2n long, one after the other) in their order; false in every
/// thread where one depends on those before it.
__device__ bool orthonormalise(double* c, int m, int length, double* scratch) {
  for (int i = 0; i < m; ++i) {
    double* own = c + i * length;
    for (int k = 0; k < i; ++k) {
      const double* other = c + k * length;
      double dot = 0.0;
      for (int r = threadIdx.x; r < length; r += blockDim.x) dot += other[r] * own[r];
      dot = blockSum(dot, scratch);
      for (int r = threadIdx.x; r < length; r += blockDim.x) own[r] -= dot * other[r];
    }
    double square = 0.0;
    for (int r = threadIdx.x; r < length; r += blockDim.x) square += own[r] * own[r];
    square = blockSum(square, scratch);
    if (!(square > kLeastNorm * kLeastNorm)) return false;
    const double factor = 1.0 / sqrt(square);
    for (int r = threadIdx.x; r < length; r += blockDim.x) own[r] *= factor;
  }
  return true;
}

/// coefficients[current] from the spinors in the input. One block for each (slot, symmetry). Shared memory:
/// n x n overlaps, and two m x 2n matrices.
__global__ void projectStart(View v) {
  extern __shared__ double shared[];
  __shared__ double scratch[33];
  const int slot = v.list[blockIdx.x], a = blockIdx.y, n = v.shape.n[a], m = v.shape.m[a], length = 2 * n;
  const int l = Symmetry::fromIndex(a).l();
  const double* input = slotPart(v.input, slot, v.shape.inputSize);
  const double *zeta = input + v.shape.inExponents + v.shape.exponents[a],
               *startZeta = input + v.shape.inStartExponents + v.shape.exponents[a],
               *start = input + v.shape.inStartSpinors + v.shape.coefficients[a];
  const int count = static_cast<int>(symmetryInput(v, input, a, kFunctions)),
            others = static_cast<int>(symmetryInput(v, input, a, kStartFunctions));
  double *s = shared, *inner = shared + n * n, *c = inner + m * length;
  for (int e = threadIdx.x; e < m * length; e += blockDim.x) c[e] = 0.0;
  for (int component = 0; component < 2; ++component) {
    overlaps(zeta, count, startZeta, others, l, component, s);
    __syncthreads();
    for (int e = threadIdx.x; e < m * count; e += blockDim.x) {
      const double* spinor = start + (e / count) * length + component * n;
      double sum = 0.0;
      for (int q = 0; q < others; ++q) sum += s[(e % count) * others + q] * spinor[q];
      inner[e] = sum;
    }
    __syncthreads();
    const double* x = orthonormalFunctions(v, slot, a, component);
    for (int e = threadIdx.x; e < m * count; e += blockDim.x) {
      const int o = e / count, q = e % count;
      double sum = 0.0;
      for (int p = 0; p <= q; ++p) sum += x[p * n + q] * inner[o * count + p];
      c[o * length + component * n + q] = sum;
    }
    __syncthreads();
  }
  if (!orthonormalise(c, m, length, scratch)) {
    if (threadIdx.x == 0 && v.state[slot].status == static_cast<int>(SlotStatus::Active))
      v.state[slot].status = static_cast<int>(SlotStatus::StartUnfit);
    return;
  }
  __syncthreads();
  double* out = slotPart(v.coefficients[v.current], slot, v.shape.coefficientSize) + v.shape.coefficients[a];
  for (int e = threadIdx.x; e < m * length; e += blockDim.x) out[e] = c[e];
}

/// coefficients[1 - current] = those of coefficients[current] over the primitives. One block for each (slot,
/// symmetry).
__global__ void overPrimitives(View v) {
  const int slot = v.list[blockIdx.x], a = blockIdx.y, n = v.shape.n[a], m = v.shape.m[a], length = 2 * n;
  const double* input = slotPart(v.input, slot, v.shape.inputSize);
  const int count = static_cast<int>(symmetryInput(v, input, a, kFunctions));
  const long long offset = v.shape.coefficients[a];
  const double* c = slotPart(v.coefficients[v.current], slot, v.shape.coefficientSize) + offset;
  double* out = slotPart(v.coefficients[1 - v.current], slot, v.shape.coefficientSize) + offset;
  for (int e = threadIdx.x; e < m * length; e += blockDim.x) {
    const int o = e / length, component = e % length / n, p = e % n;
    const double *x = orthonormalFunctions(v, slot, a, component), *own = c + o * length + component * n;
    double sum = 0.0;
    if (p < count)
      for (int q = p; q < count; ++q) sum += x[p * n + q] * own[q];
    out[e] = sum;
  }
}

}  // namespace

void launchStart(const View& v, cudaStream_t stream) {
  const int bytes = bytesOf(startDoubles(v.shape));
  allowSharedMemory(projectStart, bytes);
  projectStart<<<dim3(static_cast<unsigned>(v.count), static_cast<unsigned>(v.shape.symmetries)), kThreads,
                 bytes, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchSpinors(const View& v, cudaStream_t stream) {
  overPrimitives<<<dim3(static_cast<unsigned>(v.count), static_cast<unsigned>(v.shape.symmetries)), kThreads,
                   0, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda::batch
