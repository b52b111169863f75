#include "cuda/core/common/check.hpp"
#include "cuda/matter/mesh/block_sums.cuh"
#include "cuda/matter/mesh/spme_kernels.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 128;

/// One site, which looks through the bins around its own. Adds its share of the virial.
__device__ void visitPairs(const PairSites& s, int i, double beta, double squared, double* potentials,
                           double3* fields, double (&virial)[6]) {
  // The bin of a site: the last one that starts at or before it.
  int low = 0, high = s.bins.x * s.bins.y * s.bins.z;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (s.start[middle] <= i ? low : high) = middle;
  }
  const int bz = low % s.bins.z, by = low / s.bins.z % s.bins.y, bx = low / s.bins.z / s.bins.y;
  const Site own = s.sites[i];
  const double slope = 1.1283791670955126 * beta;  // 2/sqrt(pi)
  double potential = 0;
  double3 field{0, 0, 0};
  for (int x = -s.range.x; x <= s.range.x; ++x) {
    const int ix = static_cast<int>(floor(static_cast<double>(bx + x) / s.bins.x));
    for (int y = -s.range.y; y <= s.range.y; ++y) {
      const int iy = static_cast<int>(floor(static_cast<double>(by + y) / s.bins.y));
      for (int z = -s.range.z; z <= s.range.z; ++z) {
        const int iz = static_cast<int>(floor(static_cast<double>(bz + z) / s.bins.z));
        const int bin = ((bx + x - ix * s.bins.x) * s.bins.y + by + y - iy * s.bins.y) * s.bins.z + bz + z -
                        iz * s.bins.z;
        const double sx = ix * s.a.x + iy * s.b.x + iz * s.c.x - own.x,
                     sy = ix * s.a.y + iy * s.b.y + iz * s.c.y - own.y,
                     sz = ix * s.a.z + iy * s.b.z + iz * s.c.z - own.z;
        const bool home = ix == 0 && iy == 0 && iz == 0;
        for (int j = s.start[bin]; j < s.start[bin + 1]; ++j) {
          const Site other = s.sites[j];
          const double dx = other.x + sx, dy = other.y + sy, dz = other.z + sz,
                       r2 = dx * dx + dy * dy + dz * dz;
          if (r2 > squared || (home && j == i)) continue;
          const double inverse = rsqrt(r2), r = r2 * inverse, value = erfc(beta * r) * inverse;
          const double force = other.w * (value + slope * exp(-beta * beta * r2)) * inverse * inverse;
          potential += other.w * value;
          field.x -= force * dx;
          field.y -= force * dy;
          field.z -= force * dz;
          const double pull = 0.5 * own.w * force;
          virial[0] += pull * dx * dx;
          virial[1] += pull * dy * dy;
          virial[2] += pull * dz * dz;
          virial[3] += pull * dx * dy;
          virial[4] += pull * dx * dz;
          virial[5] += pull * dy * dz;
        }
      }
    }
  }
  const int number = s.number[i];
  potentials[number] += potential;
  fields[number].x += field.x;
  fields[number].y += field.y;
  fields[number].z += field.z;
}

/// One thread for each site.
__global__ void pairKernel(PairSites s, double beta, double squared, double* potentials, double3* fields,
                           double* virial) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double mine[6] = {};
  if (i < s.count) visitPairs(s, i, beta, squared, potentials, fields, mine);
  blockSums<kThreads>(mine, virial + 6 * blockIdx.x);
}

}  // namespace

int pairBlocks(int sites) { return (sites + kThreads - 1) / kThreads; }

void launchPairs(const PairSites& s, double beta, double cutoff, double* potentials, double3* fields,
                 double* virial, cudaStream_t stream) {
  pairKernel<<<pairBlocks(s.count), kThreads, 0, stream>>>(s, beta, cutoff * cutoff, potentials, fields,
                                                           virial);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
