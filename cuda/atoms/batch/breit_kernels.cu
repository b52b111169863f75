#include "cuda/atoms/batch/block_memory.hpp"
#include "cuda/atoms/batch/device_helpers.cuh"
#include "cuda/atoms/batch/kernels.hpp"
#include "cuda/core/common/check.hpp"

namespace prophet::cuda::batch {
namespace {

constexpr int kThreads = 256;

/// Density blocks of some orbitals of one symmetry at a pair of grid points.
struct PointDensity {
  double ll = 0.0, ls = 0.0, sl = 0.0, ss = 0.0;
};

__device__ PointDensity densityOf(const Orbitals& psi, int first, int last, int i, int j) {
  PointDensity d;
  for (int o = first; o < last; ++o) {
    const double *large = psi.large + o * psi.points, *small = psi.small + o * psi.points;
    const double largeI = psi.occupation[o] * large[i], smallI = psi.occupation[o] * small[i];
    d.ll += largeI * large[j];
    d.ls += largeI * small[j];
    d.sl += smallI * large[j];
    d.ss += smallI * small[j];
  }
  return d;
}

/// Integrand of tr(D_a K[D_b]) at points i - j = m.
__device__ double exchange(const View& v, int part, int a, int b, int m, const PointDensity& x,
                           const PointDensity& y) {
  return crossCentre(v, part, kCrossLL, a, b)[m] * x.ll * y.ss +
         crossCentre(v, part, kCrossSS, a, b)[m] * x.ss * y.ll +
         2.0 * crossCentre(v, part, kCrossMixed, a, b)[m] * x.ls * y.sl;
}

/// The two parts at a pair of points: -1/2 sum_ab [tr(D_a K[D_b]) - reduction_ab tr(O_a K[O_b])], O the open
/// spinors' densities (breit/breit.cpp has the same on the host). (a, b) and (b, a) count alike.
template <int Symmetries>
__device__ void addPoint(const View& v, const Orbitals& psi, const double* input, int i, int j,
                         double (&sum)[2]) {
  PointDensity all[Symmetries], open[Symmetries];
#pragma unroll
  for (int a = 0; a < Symmetries; ++a) {
    const int first = v.shape.firstOrbital[a], last = v.shape.firstOrbital[a + 1];
    all[a] = densityOf(psi, first, last, i, j);
    if (symmetryInput(v, input, a, kOpen) != 0.0) open[a] = densityOf(psi, last - 1, last, i, j);
  }
#pragma unroll
  for (int a = 0; a < Symmetries; ++a) {
#pragma unroll
    for (int b = 0; b <= a; ++b) {
      const double count = a == b ? -0.5 : -1.0, reduction = input[v.shape.inReduction + a * Symmetries + b];
#pragma unroll
      for (int part = 0; part < 2; ++part) {
        if (part >= v.shape.breitParts) continue;
        sum[part] += count * (exchange(v, part, a, b, i - j, all[a], all[b]) -
                              reduction * exchange(v, part, a, b, i - j, open[a], open[b]));
      }
    }
  }
}

/// One block for each (strip of 16 rows, slot); its two sums go to the front of the slot's w.
template <int Symmetries>
__global__ void __launch_bounds__(kThreads) breitStrip(View v) {
  __shared__ double scratch[33];
  const int slot = v.list[blockIdx.y], points = v.shape.points;
  const double* input = slotPart(v.input, slot, v.shape.inputSize);
  const Orbitals psi = orbitalsOf(v, slot);
  double sum[2] = {};
  for (int e = threadIdx.x; e < kStrip * points; e += kThreads)
    addPoint<Symmetries>(v, psi, input, static_cast<int>(blockIdx.x) * kStrip + e / points, e % points, sum);
  const long long square = static_cast<long long>(points) * points;
  double* out = slotPart(v.w, slot, 3 * square * Symmetries) + 2 * blockIdx.x;
  for (int part = 0; part < 2; ++part) {
    const double whole = blockSum(sum[part], scratch);
    if (threadIdx.x == 0) out[part] = whole;
  }
}

/// Adds the strips up in their order; one thread for each slot.
__global__ void sumStrips(View v) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= v.count) return;
  const int slot = v.list[index], points = v.shape.points;
  const double* strips = slotPart(v.w, slot, 3LL * points * points * v.shape.symmetries);
  double sum[2] = {};
  for (int s = 0; s < points / kStrip; ++s) {
    for (int part = 0; part < 2; ++part) sum[part] += strips[2 * s + part];
  }
  v.state[slot].gaunt = sum[kGauntPart];
  v.state[slot].gauge = sum[kGaugePart];
}

template <int Symmetries>
void launch(const View& v, cudaStream_t stream) {
  breitStrip<Symmetries>
      <<<dim3(static_cast<unsigned>(v.shape.points / kStrip), static_cast<unsigned>(v.count)), kThreads, 0,
         stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace

void launchBreitParts(const View& v, cudaStream_t stream) {
  using Launcher = void (*)(const View&, cudaStream_t);
  constexpr Launcher kLaunchers[kMaxSymmetries] = {launch<1>, launch<2>, launch<3>, launch<4>, launch<5>,
                                                   launch<6>, launch<7>, launch<8>, launch<9>};
  kLaunchers[v.shape.symmetries - 1](v, stream);
  sumStrips<<<static_cast<unsigned>((v.count + 63) / 64), 64, 0, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda::batch
