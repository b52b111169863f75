#include <algorithm>

#include "atoms/atom/symmetry.hpp"
#include "cuda/atoms/batch/device_helpers.cuh"
#include "cuda/atoms/batch/kernels.hpp"
#include "cuda/core/common/check.hpp"

/// Estimates of the eigenvalues of the guess Hamiltonian, one warp for each spinor: Bohr and Sommerfeld's
/// condition integral p dr = pi (i + 1/2) for spinor number i of a symmetry, with
///   r^2 p^2 = r^2 [(E - V)^2/c^2 + 2 (E - V)] - k^2,  k^2 = (gamma +- 1/2)^2 + (Z/c)^2,
///   gamma^2 = kappa^2 - (Z/c)^2, + for kappa > 0 and - for kappa < 0:
/// that k makes the energies in a point charge's field exactly Dirac's, and (l + 1/2)^2 without relativity.
/// Measured on the guess of all elements in their default sets: levels below -2 hartree within 9 % to Z =
/// 105. See docs/theory/dirac-hartree-fock.md.
namespace prophet::cuda::batch {
namespace {

constexpr int kThreads = 128, kBisections = 18;
/// Bound spinors lie below this, hartree.
constexpr double kHighest = -1e-3;

__device__ double warpTotal(double value) {
  for (int step = 16; step > 0; step >>= 1) value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}

struct Well {
  const double* potential;  ///< at the grid's points, then r^2 there
  int points;
  double h, c, squareOfK;

  __device__ double radiusSquared(int i) const { return potential[points + i]; }

  /// r^2 p^2 at a point.
  __device__ double square(int i, double energy) const {
    const double kinetic = energy - potential[i];
    return radiusSquared(i) * kinetic * (kinetic / (c * c) + 2.0) - squareOfK;
  }

  /// Where a particle at rest would be: no energy below is allowed.
  __device__ double bottom() const {
    double least = 0.0;
    for (int i = threadIdx.x % 32; i < points; i += 32) {
      const double rest = c * c;
      least = fmin(least, potential[i] + rest * (sqrt(1.0 + squareOfK / (rest * radiusSquared(i))) - 1.0));
    }
    for (int step = 16; step > 0; step >>= 1) least = fmin(least, __shfl_xor_sync(0xffffffffu, least, step));
    return least;
  }

  /// integral p dr; r^2 p^2 is linear in ln r between points.
  __device__ double action(double energy) const {
    double sum = 0.0;
    for (int i = threadIdx.x % 32; i + 1 < points; i += 32) {
      const double left = square(i, energy), right = square(i + 1, energy);
      const double more = fmax(left, right), less = fmin(left, right);
      if (!(more > 0.0)) continue;
      const double a = sqrt(more), b = less > 0.0 ? sqrt(less) : 0.0;
      sum += less > 0.0 ? (a * a + a * b + b * b) / (a + b) : more / (more - less) * a;
    }
    return warpTotal(sum) * h * (2.0 / 3.0);
  }
};

/// One warp for each spinor of a slot; into energies, 0 where there is no bound level of that number.
__global__ void estimateLevels(View v) {
  const int slot = v.list[blockIdx.x], orbitals = v.shape.firstOrbital[v.shape.symmetries];
  const int o = static_cast<int>(blockIdx.y) * (kThreads / 32) + threadIdx.x / 32;
  if (o >= orbitals) return;
  int a = 0;
  while (o >= v.shape.firstOrbital[a + 1]) ++a;
  const double* input = slotPart(v.input, slot, v.shape.inputSize);
  const int kappa = Symmetry::fromIndex(a).kappa;
  const double coupling = input[kCharge] / input[kC],
               gamma = sqrt(fmax(0.0, kappa * kappa - coupling * coupling)),
               shifted = gamma + (kappa > 0 ? 0.5 : -0.5);
  const Well well{guessPotential(v, slot, a), v.shape.points, v.shape.h, input[kC],
                  shifted * shifted + coupling * coupling};
  const double wanted = 3.14159265358979324 * (o - v.shape.firstOrbital[a] + 0.5);
  double low = well.bottom(), high = kHighest, estimate = 0.0;
  if (low < high && well.action(high) > wanted) {
    for (int step = 0; step < kBisections; ++step) {
      const double middle = -sqrt(low * high);
      (well.action(middle) < wanted ? low : high) = middle;
    }
    estimate = -sqrt(low * high);
  }
  if (threadIdx.x % 32 == 0) slotPart(v.energies, slot, orbitals)[o] = estimate;
}

}  // namespace

void launchLevels(const View& v, cudaStream_t stream) {
  const int orbitals = v.shape.firstOrbital[v.shape.symmetries], perBlock = kThreads / 32;
  estimateLevels<<<dim3(static_cast<unsigned>(v.count),
                        static_cast<unsigned>((orbitals + perBlock - 1) / perBlock)),
                   kThreads, 0, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda::batch
