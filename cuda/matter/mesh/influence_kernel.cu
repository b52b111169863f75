#include "cuda/core/common/check.hpp"
#include "cuda/matter/mesh/block_sums.cuh"
#include "cuda/matter/mesh/spme_kernels.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 256;

/// The virial of a mode with the factor that makes it the potential's, in sums[1 ... 6] as in ChargeTotals.
__device__ void addMode(const ModeFactors& f, const double (&k)[3], double energy, double (&sums)[7]) {
  const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
  const double pull = 2 * energy * (1 + k2 * f.damping) / k2;
  for (int d = 0; d < 3; ++d) sums[1 + d] += energy - pull * k[d] * k[d];
  sums[4] -= pull * k[0] * k[1];
  sums[5] -= pull * k[0] * k[2];
  sums[6] -= pull * k[1] * k[2];
}

__global__ void influenceKernel(ModeFactors f, double2* modes, ChargeTotals* totals) {
  const int half = f.n.z / 2 + 1;
  const long long all = 1LL * f.n.x * f.n.y * half;
  ChargeTotals mine;
  for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < all;
       i += 1LL * gridDim.x * blockDim.x) {
    const int z = static_cast<int>(i % half), y = static_cast<int>(i / half % f.n.y),
              x = static_cast<int>(i / half / f.n.y);
    if (2 * x == f.n.x || 2 * y == f.n.y || 2 * z == f.n.z || i == 0) {
      modes[i] = {0, 0};
      continue;
    }
    const int mx = 2 * x > f.n.x ? x - f.n.x : x, my = 2 * y > f.n.y ? y - f.n.y : y;
    const double k[3] = {mx * f.kx.x + my * f.ky.x + z * f.kz.x, mx * f.kx.y + my * f.ky.y + z * f.kz.y,
                         mx * f.kx.z + my * f.ky.z + z * f.kz.z};
    const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    const double factor = f.scale / k2 * exp(-k2 * f.damping) * f.wx[x] * f.wy[y] * f.wz[z];
    const double2 mode = modes[i];
    addMode(f, k, (z == 0 ? 0.5 : 1.0) * factor * (mode.x * mode.x + mode.y * mode.y), mine.sums);
    modes[i] = {factor * mode.x, factor * mode.y};
  }
  blockTotals<kThreads>(mine, totals + blockIdx.x);
}

}  // namespace

void launchInfluence(const ModeFactors& f, double2* modes, ChargeTotals* totals, cudaStream_t stream) {
  influenceKernel<<<kTotalBlocks, kThreads, 0, stream>>>(f, modes, totals);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
