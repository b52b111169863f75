#include "cuda/atoms/batch/block_memory.hpp"
#include "cuda/atoms/batch/device_helpers.cuh"
#include "cuda/atoms/batch/kernels.hpp"
#include "cuda/atoms/batch/shared_memory.hpp"
#include "cuda/core/common/check.hpp"

namespace prophet::cuda::batch {
namespace {

constexpr int kThreads = 256;

/// Orbitals of one symmetry on the grid: psi(i) = sum_q phi(i, q) c(q), all components. One block for each
/// (slot, symmetry, component); shared memory: the coefficients, and the functions on kOrbitalRows points,
/// whose rows are one double longer than n: lanes that have neighbouring points then meet different banks.
__global__ void evaluateOrbitals(View v) {
  extern __shared__ double c[];
  const int slot = v.list[blockIdx.x], a = blockIdx.y, component = blockIdx.z, n = v.shape.n[a],
            m = v.shape.m[a];
  const int points = v.shape.points, count = v.shape.firstOrbital[v.shape.symmetries];
  double* functions = c + m * n;
  const double* coefficients =
      slotPart(v.coefficients[v.current], slot, v.shape.coefficientSize) + v.shape.coefficients[a];
  for (int e = threadIdx.x; e < m * n; e += blockDim.x)
    c[e] = coefficients[(e / n) * 2 * n + component % 2 * n + e % n];
  const double* phi = slotPart(v.phi, slot, v.shape.phiSize) + v.shape.phi[a] +
                      static_cast<long long>(component) * points * n;
  double* out = slotPart(v.orbitals, slot, static_cast<long long>(v.shape.components) * count * points) +
                static_cast<long long>(component * count + v.shape.firstOrbital[a]) * points;
  for (int first = 0; first < points; first += kOrbitalRows) {
    const int rows = min(kOrbitalRows, points - first);
    __syncthreads();
    for (int e = threadIdx.x; e < rows * n; e += blockDim.x)
      functions[(e / n) * (n + 1) + e % n] = phi[static_cast<long long>(first) * n + e];
    __syncthreads();
    for (int e = threadIdx.x; e < m * rows; e += blockDim.x) {
      const int o = e / rows, i = e % rows;
      double sum = 0.0;
      for (int q = 0; q < n; ++q) sum += functions[i * (n + 1) + q] * c[o * n + q];
      out[o * points + first + i] = sum;
    }
  }
}

/// Number of the open spinor of a symmetry; -1 where it has none.
__device__ int openOrbital(const View& v, const double* input, int a) {
  return symmetryInput(v, input, a, kOpen) != 0.0 ? v.shape.firstOrbital[a + 1] - 1 : -1;
}

__device__ void totalPotential(const View& v, int slot, double* density) {
  const Orbitals psi = orbitalsOf(v, slot);
  const int points = v.shape.points, count = v.shape.firstOrbital[v.shape.symmetries];
  for (int i = threadIdx.x; i < points; i += blockDim.x) {
    double sum = 0.0;
    for (int o = 0; o < count; ++o) sum += psi.occupation[o] * psi.product(o, o, i);
    density[i] = sum;
  }
  __syncthreads();
  double* potential = slotPart(v.potential, slot, points);
  for (int i = threadIdx.x; i < points; i += blockDim.x)
    potential[i] = convolve(coulombCentre(v), density, i, points);
}

/// Breit exchange with the open spinor `other` of symmetry b, times o_a (`own`), subtracted from large and
/// small. `products`: two vectors over points.
__device__ void subtractBreit(const View& v, const Orbitals& psi, int a, int b, int own, int other,
                              double factor, double* products, double* large, double* small) {
  const int points = psi.points;
  const double *otherLarge = psi.large + other * points, *otherSmall = psi.small + other * points;
  double *fromLarge = products, *fromSmall = products + points;
  __syncthreads();
  for (int i = threadIdx.x; i < points; i += blockDim.x) {
    fromLarge[i] = otherSmall[i] * psi.large[own * points + i];
    fromSmall[i] = otherLarge[i] * psi.small[own * points + i];
  }
  __syncthreads();
  const double *ll = crossCentre(v, kWholeBreit, kCrossLL, a, b),
               *ss = crossCentre(v, kWholeBreit, kCrossSS, a, b),
               *mixed = crossCentre(v, kWholeBreit, kCrossMixed, a, b),
               *transposed = crossCentre(v, kWholeBreit, kCrossTransposed, a, b);
  for (int i = threadIdx.x; i < points; i += blockDim.x) {
    large[i] -=
        factor * otherSmall[i] * (convolve(ll, fromLarge, i, points) + convolve(mixed, fromSmall, i, points));
    small[i] -= factor * otherLarge[i] *
                (convolve(ss, fromSmall, i, points) + convolve(transposed, fromLarge, i, points));
  }
}

/// Q_a o_a = sum_b reduction_ab n_b (J_b - K_b) o_a for the open spinor o_a, first on the grid, then in the
/// orthonormal basis. Shared memory: six vectors over points.
__device__ void openVector(const View& v, int slot, int a, double* shared) {
  const double* input = slotPart(v.input, slot, v.shape.inputSize);
  const Orbitals psi = orbitalsOf(v, slot);
  const int points = v.shape.points, n = v.shape.n[a], own = openOrbital(v, input, a);
  if (own < 0) return;
  double *work = shared, *large = shared + points, *small = shared + 2 * points,
         *density = shared + 3 * points;
  for (int i = threadIdx.x; i < points; i += blockDim.x) large[i] = small[i] = density[i] = 0.0;
  for (int b = 0; b < v.shape.symmetries; ++b) {
    const int other = openOrbital(v, input, b);
    if (other < 0) continue;
    const double factor = input[v.shape.inReduction + a * v.shape.symmetries + b] * psi.occupation[other];
    __syncthreads();
    for (int i = threadIdx.x; i < points; i += blockDim.x) {
      work[i] = psi.product(other, own, i);
      density[i] += factor * psi.product(other, other, i);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < points; i += blockDim.x) {
      const double y = factor * convolve(kernelCentre(v, pairOf(a, b)), work, i, points);
      large[i] -= y * psi.large[other * points + i];
      small[i] -= y * psi.small[other * points + i];
    }
    if (v.shape.breitInScf)
      subtractBreit(v, psi, a, b, own, other, factor, shared + 4 * points, large, small);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < points; i += blockDim.x) {
    const double local = convolve(coulombCentre(v), density, i, points);
    large[i] += local * psi.large[own * points + i];
    small[i] += local * psi.small[own * points + i];
  }
  __syncthreads();
  const double* phi = slotPart(v.phi, slot, v.shape.phiSize) + v.shape.phi[a];
  double* out = slotPart(v.openFock, slot, v.shape.vectorSize) + v.shape.vectors[a];
  for (int p = threadIdx.x; p < 2 * n; p += blockDim.x) {
    const double* function = p < n ? phi + p : phi + static_cast<long long>(points) * n + p - n;
    const double* vector = p < n ? large : small;
    double sum = 0.0;
    for (int i = 0; i < points; ++i) sum += function[i * n] * vector[i];
    out[p] = sum;
  }
}

/// One block for each (slot, symmetry + 1): the total potential, then the open vectors.
__global__ void potentials(View v) {
  extern __shared__ double shared[];
  const int slot = v.list[blockIdx.x];
  if (blockIdx.y == 0) {
    totalPotential(v, slot, shared);
  } else {
    openVector(v, slot, static_cast<int>(blockIdx.y) - 1, shared);
  }
}

}  // namespace

void launchOrbitals(const View& v, cudaStream_t stream) {
  const int bytes = bytesOf(orbitalDoubles(v.shape)), vectors = bytesOf(potentialDoubles(v.shape));
  allowSharedMemory(evaluateOrbitals, bytes);
  allowSharedMemory(potentials, vectors);
  const unsigned count = static_cast<unsigned>(v.count),
                 symmetries = static_cast<unsigned>(v.shape.symmetries);
  evaluateOrbitals<<<dim3(count, symmetries, static_cast<unsigned>(v.shape.components)), kThreads, bytes,
                     stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
  if (v.shape.functional != 0) {
    launchFunctional(v, stream);
    return;
  }
  potentials<<<dim3(count, symmetries + 1), kThreads, vectors, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda::batch
