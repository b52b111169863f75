#include "atoms/functional/closed_forms.hpp"
#include "cuda/atoms/batch/block_memory.hpp"
#include "cuda/atoms/batch/device_helpers.cuh"
#include "cuda/atoms/batch/kernels.hpp"
#include "cuda/atoms/batch/shared_memory.hpp"
#include "cuda/core/common/check.hpp"

/// Kohn and Sham's potential in batches: the formulas of radialExchangeCorrelation
/// (src/atoms/functional/functional.cpp) at the points of the grid.
namespace prophet::cuda::batch {
namespace {

constexpr int kThreads = 256;

/// What a point adds to RadialExchangeCorrelation, and the potential there, hartree.
struct AtPoint {
  double energy, potential, virial, local, gradient;
};

/// \param shells, slope density of electrons in ln r and its derivative with respect to ln r
__device__ AtPoint exchangeCorrelationAt(ClosedForm form, double c, double r, double shells, double slope) {
  const double volume = 4 * constants::kPi * r * r * r;
  const double rise = (slope - 3 * shells) / (volume * r), sigma = rise * rise;  // rise: dn/dr
  const PointFunctional f = closedForm(form, shells / volume, sigma, c);
  AtPoint p{volume * f.energy, shells * f.slope, 0.0, f.slope, 0.0};
  const double ofGradient = volume * 2 * f.slopeOfSigma * sigma;
  p.virial = 3 * (p.potential - p.energy) + 4 * ofGradient;
  p.gradient = 2 * f.slopeOfSigma * rise / r;
  p.local -= 3 * p.gradient;
  p.potential += ofGradient;
  return p;
}

/// The potential of a slot's electrons with a functional, its factor of derivatives, and its energies into
/// the state; no open spinor has a field of its own. One block for each slot. Shared memory: the density and
/// its slope. Functions are scaled by r^(1/4) sqrt(h), and so a potential V is stored as sqrt(r) V.
__global__ void functionalPotential(View v) {
  extern __shared__ double density[];
  __shared__ double scratch[33];
  const int slot = v.list[blockIdx.x], points = v.shape.points,
            count = v.shape.firstOrbital[v.shape.symmetries];
  const bool slopes = v.shape.components > 2;
  const double* input = slotPart(v.input, slot, v.shape.inputSize);
  const Orbitals psi = orbitalsOf(v, slot);
  const long long toSlopes = 2LL * count * points;
  double* slope = density + points;
  for (int i = threadIdx.x; i < points; i += blockDim.x) {
    double sum = 0.0, rise = 0.0;
    for (int o = 0; o < count; ++o) {
      const double large = psi.large[o * points + i], small = psi.small[o * points + i];
      sum += psi.occupation[o] * (large * large + small * small);
      if (slopes)
        rise += 2 * psi.occupation[o] *
                (large * psi.large[toSlopes + o * points + i] + small * psi.small[toSlopes + o * points + i]);
    }
    density[i] = sum;
    slope[i] = rise;
  }
  double* open = slotPart(v.openFock, slot, v.shape.vectorSize);
  for (int e = threadIdx.x; e < v.shape.vectorSize; e += blockDim.x) open[e] = 0.0;
  __syncthreads();
  double* potential = slotPart(v.potential, slot, v.shape.potentialSize);
  double energy = 0.0, expectation = 0.0, virial = 0.0;
  for (int i = threadIdx.x; i < points; i += blockDim.x) {
    const double r = input[kFirstRadius] * exp(i * v.shape.h), root = sqrt(r), scale = root / v.shape.h;
    const AtPoint p = exchangeCorrelationAt(static_cast<ClosedForm>(v.shape.functional), input[kC], r,
                                            scale * density[i], scale * slope[i]);
    energy += v.shape.h * p.energy;
    expectation += v.shape.h * p.potential;
    virial += v.shape.h * p.virial;
    potential[i] = convolve(coulombCentre(v), density, i, points) + root * p.local;
    potential[points + i] = root * p.gradient;
  }
  energy = blockSum(energy, scratch);
  expectation = blockSum(expectation, scratch);
  virial = blockSum(virial, scratch);
  if (threadIdx.x == 0) {
    SlotState& state = v.state[slot];
    state.exchangeCorrelation = energy;
    state.exchangePotential = expectation;
    state.exchangeVirial = virial;
  }
}

}  // namespace

void launchFunctional(const View& v, cudaStream_t stream) {
  const int bytes = bytesOf(functionalDoubles(v.shape));
  allowSharedMemory(functionalPotential, bytes);
  functionalPotential<<<static_cast<unsigned>(v.count), kThreads, bytes, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda::batch
