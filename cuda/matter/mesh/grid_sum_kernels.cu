#include "cuda/core/common/check.hpp"
#include "cuda/core/common/launch.hpp"
#include "cuda/matter/mesh/shape_kernels.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 256;

__device__ double along(const Element<double>& e, int axis) {
  return axis == 0 ? e.x : axis == 1 ? e.y : e.z;
}
__device__ double normalAlong(const Element<double>& e, int axis) {
  return axis == 0 ? e.nx : axis == 1 ? e.ny : e.nz;
}

__device__ double2 product(double2 a, double2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

// Threads of these kernels are elements, blocks along y are values of an axis or columns: no division, and
// neighbours write neighbours.

__global__ void phasesKernel(const Element<double>* elements, int count, DeviceAxis axis, int d,
                             double middle, int other, double2* table) {
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < count; t += gridDim.x * blockDim.x) {
    const Element<double> e = elements[t];
    for (int i = blockIdx.y; i < axis.count; i += gridDim.y) {
      double s, c;
      sincos(axis[i] * along(e, d) + middle * along(e, other), &s, &c);
      table[1LL * i * count + t] = {c, s};
    }
  }
}

__global__ void leftKernel(const Element<double>* elements, int count, GridAxes grid, double* left) {
  const int even = grid.evenRows(), shift = grid.a.count % 2;
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < count; t += gridDim.x * blockDim.x) {
    const double r = along(elements[t], grid.along[0]);
    for (int pair = blockIdx.y; pair < even; pair += gridDim.y) {
      const double kappa = grid.kappa(pair);
      double s, c;
      sincos(kappa * r, &s, &c);
      double* row = left + 2LL * count * pair;
      row[t] = c;
      row[count + t] = kappa * s;
      if (pair < shift) continue;  // kappa = 0 has no odd part
      row = left + 2LL * count * (even + pair - shift);
      row[t] = s;
      row[count + t] = -kappa * c;
    }
  }
}

__global__ void rightKernel(const Element<double>* elements, int count, GridAxes grid, const double2* pb,
                            const double2* pc, long long first, int columns, double* right) {
  const double middle = grid.middle();
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < count; t += gridDim.x * blockDim.x) {
    const Element<double> e = elements[t];
    const double na = normalAlong(e, grid.along[0]), nb = normalAlong(e, grid.along[1]),
                 nc = normalAlong(e, grid.along[2]);
    for (int n = blockIdx.y; n < columns; n += gridDim.y) {
      const int b = static_cast<int>((first + n) / grid.c.count),
                c = static_cast<int>((first + n) % grid.c.count);
      const double2 phase = product(pb[1LL * b * count + t], pc[1LL * c * count + t]);
      const double weight = middle * na + grid.b[b] * nb + grid.c[c] * nc;
      double* column = right + 4LL * count * n;
      column[t] = weight * phase.x;
      column[count + t] = -na * phase.y;
      column[2LL * count + t] = weight * phase.y;
      column[3LL * count + t] = na * phase.x;
    }
  }
}

__global__ void unpairKernel(const double* products, GridAxes grid, long long pairs, int3 strides,
                             double2* sums) {
  const int even = grid.evenRows(), rows = grid.a.count, shift = rows % 2;
  for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < pairs;
       i += 1LL * gridDim.x * blockDim.x) {
    const int pair = static_cast<int>(i % even);
    const long long column = i / even;
    const double* real = products + 2LL * rows * column;
    const double* imaginary = real + rows;
    const double2 e{real[pair], imaginary[pair]};
    double2 o{0, 0};
    if (pair >= shift) o = {real[even + pair - shift], imaginary[even + pair - shift]};
    double2* at = sums + column / grid.c.count * strides.y + column % grid.c.count * strides.z;
    // even +- i odd
    at[1LL * (rows / 2 + pair) * strides.x] = {e.x - o.y, e.y + o.x};
    at[1LL * (even - 1 - pair) * strides.x] = {e.x + o.y, e.y - o.x};
  }
}

dim3 blocksFor(int count, int others) {
  const int along = (count + kThreads - 1) / kThreads, most = gridFor(1LL * count * others, kThreads);
  return dim3(static_cast<unsigned>(along),
              static_cast<unsigned>(std::max(1, std::min(others, most / along))));
}

}  // namespace

void launchPhases(const Element<double>* elements, int count, const DeviceAxis& axis, int along,
                  double middle, int other, double2* table, cudaStream_t stream) {
  phasesKernel<<<blocksFor(count, axis.count), kThreads, 0, stream>>>(elements, count, axis, along, middle,
                                                                      other, table);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchLeft(const Element<double>* elements, int count, const GridAxes& grid, double* left,
                cudaStream_t stream) {
  leftKernel<<<blocksFor(count, grid.evenRows()), kThreads, 0, stream>>>(elements, count, grid, left);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchRight(const Element<double>* elements, int count, const GridAxes& grid, const double2* pb,
                 const double2* pc, long long first, int columns, double* right, cudaStream_t stream) {
  rightKernel<<<blocksFor(count, columns), kThreads, 0, stream>>>(elements, count, grid, pb, pc, first,
                                                                  columns, right);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchUnpair(const double* products, const GridAxes& grid, double2* sums, cudaStream_t stream) {
  const DeviceAxis* const axes[3] = {&grid.a, &grid.b, &grid.c};
  int size[3];
  for (int k = 0; k < 3; ++k) size[grid.along[k]] = axes[k]->count;
  const int stride[3] = {size[1] * size[2], size[2], 1};
  const int3 strides{stride[grid.along[0]], stride[grid.along[1]], stride[grid.along[2]]};
  const long long pairs = 1LL * grid.evenRows() * grid.b.count * grid.c.count;
  unpairKernel<<<gridFor(pairs, kThreads), kThreads, 0, stream>>>(products, grid, pairs, strides, sums);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
