#pragma once
#include "cuda/atoms/batch/view.hpp"
#include "cuda/core/common/block_reduce.cuh"

namespace prophet::cuda::batch {

__host__ __device__ inline int pairOf(int a, int b) {
  return a >= b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a;
}

/// Kernel of two symmetries; entry [i - j], from -(points - 1) to points - 1.
__device__ inline const double* kernelCentre(const View& v, int pair) {
  return v.kernels + static_cast<long long>(pair) * (2 * v.shape.points - 1) + v.shape.points - 1;
}
__device__ inline const double* coulombCentre(const View& v) {
  return kernelCentre(v, v.shape.functional != 0 ? 0 : v.shape.symmetries * (v.shape.symmetries + 1) / 2);
}

/// sum_j centre[i - j] in[j]
__device__ inline double convolve(const double* centre, const double* in, int i, int points) {
  double sum = 0.0;
  for (int j = 0; j < points; ++j) sum += centre[i - j] * in[j];
  return sum;
}

/// Breit kernel of the ordered pair (a, b).
__device__ inline const double* crossCentre(const View& v, int part, CrossKernel which, int a, int b) {
  const int pairs = v.shape.symmetries * (v.shape.symmetries + 1) / 2;
  const int own = a >= b ? which : which ^ 1;  // LL <-> SS, mixed <-> transposed
  return kernelCentre(v, pairs + 1 + (part * kCrossKernels + own) * pairs + pairOf(a, b));
}

template <class T>
__device__ inline T* slotPart(T* base, int slot, long long size) {
  return base + static_cast<long long>(slot) * size;
}

/// A slot's orbitals on the grid.
struct Orbitals {
  const double *large, *small, *occupation;
  int points;
  __device__ double product(int o, int p, int i) const {
    return large[o * points + i] * large[p * points + i] + small[o * points + i] * small[p * points + i];
  }
};

__device__ inline Orbitals orbitalsOf(const View& v, int slot) {
  const int count = v.shape.firstOrbital[v.shape.symmetries], points = v.shape.points;
  const double* base =
      slotPart(v.orbitals, slot, static_cast<long long>(v.shape.components) * count * points);
  return {base, base + static_cast<long long>(count) * points,
          slotPart(v.input, slot, v.shape.inputSize) + v.shape.inOccupation, points};
}

__device__ inline double symmetryInput(const View& v, const double* input, int a, int which) {
  return input[v.shape.inSymmetry + a * kInputPerSymmetry + which];
}

/// X of the large (component 0) or small functions of a symmetry: n x n, upper triangle; columns are
/// orthonormal functions over normalised primitives.
__device__ inline double* orthonormalFunctions(const View& v, int slot, int a, int component) {
  return slotPart(v.x, slot, v.shape.blockSize) + v.shape.blocks[a] + component * v.shape.n[a] * v.shape.n[a];
}

/// A symmetry's part of w.
__device__ inline double* bracketOf(const View& v, int slot, int a) {
  const long long size = v.shape.bracketSize;
  return slotPart(v.w, slot, size * v.shape.symmetries) + size * a;
}

/// The guess Hamiltonian's potential of a symmetry at the grid's points, hartree, and then r^2 there: the
/// beginning of its part of w, which the guess does not need.
__device__ inline double* guessPotential(const View& v, int slot, int a) { return bracketOf(v, slot, a); }

}  // namespace prophet::cuda::batch
