#include "cuda/core/common/check.hpp"
#include "cuda/matter/mesh/block_sums.cuh"
#include "cuda/matter/mesh/spme_kernels.hpp"

namespace prophet::cuda {
namespace {

constexpr int kRoom = 24;  // neighbours that a thread collects
constexpr int kStep = 4;   // candidates between two looks at the room that is left
constexpr unsigned kAll = 0xffffffff;

/// A site and the image of the cell that it is in, ten bits along each vector.
struct Neighbour {
  int site, image;
};

constexpr int kHome = 512;  // what stands for no image

__device__ int packedImage(int x, int y, int z) {
  return ((x + kHome) << 20) | ((y + kHome) << 10) | (z + kHome);
}

__device__ int floorDivided(int i, int n) { return i >= 0 ? i / n : -((n - 1 - i) / n); }

/// The largest one of a warp, all of whose threads call it.
__device__ int warpMost(int i) {
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(kAll, i);
#else
  for (int step = 16; step > 0; step /= 2) i = max(i, __shfl_xor_sync(kAll, i, step));
  return i;
#endif
}

/// Where the neighbours of an image are from a site.
__device__ double3 shiftOf(const CellFrame& c, int x, int y, int z, const Quad& own) {
  return {x * c.a.x + y * c.b.x + z * c.c.x - own.x, x * c.a.y + y * c.b.y + z * c.c.y - own.y,
          x * c.a.z + y * c.b.z + z * c.c.z - own.z};
}

/// What a site gathers from its neighbours.
struct PairSum {
  Quad field{0, 0, 0, 0};  ///< and the potential
  ChargeTotals totals;     ///< without the site's own charge

  __device__ void add(const PairSites& s, const Quad& own, Neighbour n, double beta) {
    const Quad other = s.sites[n.site];
    const double3 shift = shiftOf(s.cell, (n.image >> 20) - kHome, ((n.image >> 10) & 1023) - kHome,
                                  (n.image & 1023) - kHome, own);
    const double dx = other.x + shift.x, dy = other.y + shift.y, dz = other.z + shift.z,
                 r2 = dx * dx + dy * dy + dz * dz;
    // erfc(x) = exp(-x^2) erfcx(x): one exponential for the potential and its derivative.
    const double inverse = rsqrt(r2), e = other.w * exp(-beta * beta * r2),
                 value = e * erfcx(beta * (r2 * inverse)) * inverse;
    const double slope = 1.1283791670955126 * beta;  // 2/sqrt(pi)
    const double force = (value + slope * e) * inverse * inverse;
    const double fx = force * dx, fy = force * dy, fz = force * dz;
    field.x -= fx;
    field.y -= fy;
    field.z -= fz;
    field.w += value;
    totals.sums[1] += fx * dx;
    totals.sums[2] += fy * dy;
    totals.sums[3] += fz * dz;
    totals.sums[4] += fx * dy;
    totals.sums[5] += fx * dz;
    totals.sums[6] += fy * dz;
    totals.squared = fmin(totals.squared, r2);
  }
};

/// One thread for each site and part of its surroundings: lines of bins along the third vector. Distances of
/// candidates are cheap and the terms of neighbours are not, and few candidates are neighbours; so each
/// thread first collects neighbours, and a warp computes terms when one of its threads has no room left.
__global__ void __launch_bounds__(kPairThreads)
    pairKernel(PairSites s, double beta, double squared, Quad* fields, ChargeTotals* totals) {
  __shared__ Neighbour list[kRoom][kPairThreads];
  const int i = blockIdx.x * kPairThreads + threadIdx.x, part = blockIdx.y;
  const bool there = i < s.count;
  const Quad own = s.sites[there ? i : 0];
  const int bin = s.bins[there ? i : 0];
  const int3 bins = s.cell.bins, range = s.cell.range;
  const int bx = bin / bins.z / bins.y, by = bin / bins.z % bins.y, bz = bin % bins.z;
  // A thread without a site looks at no line, but stays with its warp.
  const int last = there ? bz + range.z : bz - range.z - 1;
  const int wide = 2 * range.y + 1, lines = (2 * range.x + 1) * wide;
  PairSum sum;
  int found = 0;
  const auto addFound = [&] {
    const int most = warpMost(found);
    for (int k = 0; k < most; ++k) {
      if (k < found) sum.add(s, own, list[k][threadIdx.x], beta);
    }
    found = 0;
  };
  for (int line = part; line < lines; line += s.parts) {
    const int x = bx + line / wide - range.x, y = by + line % wide - range.y;
    const int ix = floorDivided(x, bins.x), iy = floorDivided(y, bins.y);
    const int row = ((x - ix * bins.x) * bins.y + y - iy * bins.y) * bins.z;
    // The bins of one image after the other, whose sites lie side by side.
    for (int z = bz - range.z; __any_sync(kAll, z <= last);) {
      int begin = 0, end = 0, image = 0;
      double3 shift{0, 0, 0};
      if (z <= last) {
        const int iz = floorDivided(z, bins.z), first = z - iz * bins.z,
                  next = min(bins.z, first + last - z + 1);
        begin = s.start[row + first];
        end = s.start[row + next];
        image = packedImage(ix, iy, iz);
        shift = shiftOf(s.cell, ix, iy, iz, own);
        z += next - first;
      }
      const int self = image == packedImage(0, 0, 0) ? i : -1, longest = warpMost(end - begin);
      for (int t = 0; t < longest; t += kStep) {
#pragma unroll
        for (int k = 0; k < kStep; ++k) {
          const int j = begin + t + k;
          if (j >= end) continue;
          const Quad other = s.sites[j];
          const double dx = other.x + shift.x, dy = other.y + shift.y, dz = other.z + shift.z;
          if (dx * dx + dy * dy + dz * dz <= squared && j != self) list[found++][threadIdx.x] = {j, image};
        }
        if (__any_sync(kAll, found > kRoom - kStep)) addFound();
      }
    }
  }
  addFound();
  if (there) fields[static_cast<std::size_t>(part) * s.count + i] = sum.field;
  for (int k = 1; k < 7; ++k) sum.totals.sums[k] *= there ? 0.5 * own.w : 0;
  blockTotals<kPairThreads>(sum.totals, totals + static_cast<std::size_t>(part) * gridDim.x + blockIdx.x);
}

}  // namespace

void launchPairs(const PairSites& s, double beta, double cutoff, Quad* fields, ChargeTotals* totals,
                 cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(pairBlocks(s.count)), static_cast<unsigned>(s.parts));
  pairKernel<<<grid, kPairThreads, 0, stream>>>(s, beta, cutoff * cutoff, fields, totals);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
