#include "cuda/core/common/check.hpp"
#include "cuda/core/common/launch.hpp"
#include "cuda/matter/mesh/block_sums.cuh"
#include "cuda/matter/mesh/spme_kernels.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kTotalThreads = 1024;

__device__ double wrapped(double f) {
  f -= floor(f);
  return f < 1 ? f : 0;
}

/// In units of the cell's vectors, in [0, 1).
__device__ double3 fractional(const CellFrame& cell, double3 r) {
  return {wrapped(cell.ra.x * r.x + cell.ra.y * r.y + cell.ra.z * r.z),
          wrapped(cell.rb.x * r.x + cell.rb.y * r.y + cell.rb.z * r.z),
          wrapped(cell.rc.x * r.x + cell.rc.y * r.y + cell.rc.z * r.z)};
}

__device__ int below(double f, int n) { return min(static_cast<int>(f * n), n - 1); }

__global__ void binsKernel(CellFrame cell, const double3* positions, int count, int* bins, int* numbers) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const double3 f = fractional(cell, positions[i]);
    bins[i] = (below(f.x, cell.bins.x) * cell.bins.y + below(f.y, cell.bins.y)) * cell.bins.z +
              below(f.z, cell.bins.z);
    numbers[i] = i;
  }
}

__device__ double onMesh(double f, int n) {
  const double u = f * n;
  return u < n ? u : 0;
}

__global__ void arrangeKernel(CellFrame cell, const double3* positions, const double* charges,
                              const int* numbers, int count, Quad* sites, Quad* places) {
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += gridDim.x * blockDim.x) {
    const int i = numbers[k];
    const double3 f = fractional(cell, positions[i]);
    const double charge = charges[i];
    sites[k] = {f.x * cell.a.x + f.y * cell.b.x + f.z * cell.c.x,
                f.x * cell.a.y + f.y * cell.b.y + f.z * cell.c.y,
                f.x * cell.a.z + f.y * cell.b.z + f.z * cell.c.z, charge};
    places[k] = {onMesh(f.x, cell.n.x), onMesh(f.y, cell.n.y), onMesh(f.z, cell.n.z), charge};
  }
}

/// Looked for in the sorted list, so that it takes as long for sites that are all in one bin.
__global__ void startsKernel(const int* bins, int count, int binCount, int* start) {
  for (int bin = blockIdx.x * blockDim.x + threadIdx.x; bin <= binCount; bin += gridDim.x * blockDim.x) {
    int low = 0, high = count;
    while (low < high) {
      const int middle = low + (high - low) / 2;
      if (bins[middle] < bin) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    start[bin] = low;
  }
}

__global__ void __launch_bounds__(kThreads)
    sitesKernel(SiteSums s, double* potentials, double3* fields, ChargeTotals* totals) {
  ChargeTotals mine;
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < s.count; k += gridDim.x * blockDim.x) {
    const Quad g = s.gradients[k];
    const double charge = s.sites[k].w;
    double3 field{-(s.rx.x * g.x + s.rx.y * g.y + s.rx.z * g.z),
                  -(s.ry.x * g.x + s.ry.y * g.y + s.ry.z * g.z),
                  -(s.rz.x * g.x + s.rz.y * g.y + s.rz.z * g.z)};
    double potential = g.w + s.background - s.self * charge;
    for (int part = 0; part < s.parts; ++part) {
      const Quad pairs = s.pairs[static_cast<std::size_t>(part) * s.count + k];
      field.x += pairs.x;
      field.y += pairs.y;
      field.z += pairs.z;
      potential += pairs.w;
    }
    const int number = s.numbers[k];
    fields[number] = field;
    potentials[number] = potential;
    mine.sums[0] += 0.5 * charge * potential;
  }
  blockTotals<kThreads>(mine, totals + blockIdx.x);
}

/// One block.
__global__ void __launch_bounds__(kTotalThreads)
    totalsKernel(const ChargeTotals* blocks, int count, ChargeTotals* all) {
  ChargeTotals mine;
  for (int i = threadIdx.x; i < count; i += kTotalThreads) {
    for (int k = 0; k < 7; ++k) mine.sums[k] += blocks[i].sums[k];
    mine.squared = fmin(mine.squared, blocks[i].squared);
  }
  blockTotals<kTotalThreads>(mine, all);
}

}  // namespace

void launchBins(const CellFrame& cell, const double3* positions, int count, int* bins, int* numbers,
                cudaStream_t stream) {
  binsKernel<<<gridFor(count, kThreads), kThreads, 0, stream>>>(cell, positions, count, bins, numbers);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchArrange(const CellFrame& cell, const double3* positions, const double* charges, const int* numbers,
                   int count, Quad* sites, Quad* onMesh, cudaStream_t stream) {
  arrangeKernel<<<gridFor(count, kThreads), kThreads, 0, stream>>>(cell, positions, charges, numbers, count,
                                                                   sites, onMesh);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchStarts(const int* bins, int count, int binCount, int* start, cudaStream_t stream) {
  startsKernel<<<gridFor(binCount + 1LL, kThreads), kThreads, 0, stream>>>(bins, count, binCount, start);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchSites(const SiteSums& s, double* potentials, double3* fields, ChargeTotals* totals,
                 cudaStream_t stream) {
  sitesKernel<<<kTotalBlocks, kThreads, 0, stream>>>(s, potentials, fields, totals);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchTotals(const ChargeTotals* blocks, int count, ChargeTotals* all, cudaStream_t stream) {
  totalsKernel<<<1, kTotalThreads, 0, stream>>>(blocks, count, all);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
