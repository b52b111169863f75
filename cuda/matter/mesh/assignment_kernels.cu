#include <algorithm>

#include "core/mesh/bspline.hpp"
#include "cuda/core/common/check.hpp"
#include "cuda/core/common/launch.hpp"
#include "cuda/matter/mesh/spme_kernels.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 256;

__device__ int wrapped(int i, int n) { return i < 0 ? i + n : (i >= n ? i - n : i); }

template <int Order>
__global__ void spreadKernel(MeshParticles p, double* mesh) {
  const long long all = 1LL * p.count * Order * Order;
  for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < all;
       i += 1LL * gridDim.x * blockDim.x) {
    const int particle = static_cast<int>(i / (Order * Order)), line = static_cast<int>(i % (Order * Order));
    const double3 u = p.u[particle];
    const int x = static_cast<int>(u.x), y = static_cast<int>(u.y), z = static_cast<int>(u.z);
    double wx[Order], wy[Order], wz[Order];
    splineWeights(Order, u.x - x, wx);
    splineWeights(Order, u.y - y, wy);
    splineWeights(Order, u.z - z, wz);
    double weight = p.charges[particle];
    const int a = line / Order, b = line % Order;
#pragma unroll
    for (int k = 0; k < Order; ++k) weight *= (k == a ? wx[k] : 1.0) * (k == b ? wy[k] : 1.0);
    double* row =
        mesh + (1LL * wrapped(x - Order + 1 + a, p.n.x) * p.n.y + wrapped(y - Order + 1 + b, p.n.y)) * p.n.z;
#pragma unroll
    for (int k = 0; k < Order; ++k) atomicAdd(row + wrapped(z - Order + 1 + k, p.n.z), weight * wz[k]);
  }
}

template <int Order>
__global__ void gatherKernel(MeshParticles p, CellLists cells, double* mesh) {
  const long long all = 1LL * p.n.x * p.n.y * p.n.z;
  for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < all;
       i += 1LL * gridDim.x * blockDim.x) {
    const int z = static_cast<int>(i % p.n.z), y = static_cast<int>(i / p.n.z % p.n.y),
              x = static_cast<int>(i / p.n.z / p.n.y);
    double sum = 0;
    for (int a = 0; a < Order; ++a) {
      for (int b = 0; b < Order; ++b) {
        const long long row = (1LL * wrapped(x + a, p.n.x) * p.n.y + wrapped(y + b, p.n.y)) * p.n.z;
        for (int c = 0; c < Order; ++c) {
          const long long cell = row + wrapped(z + c, p.n.z);
          for (int k = cells.start[cell]; k < cells.start[cell + 1]; ++k) {
            const int particle = cells.order[k];
            const double3 u = p.u[particle];
            double wx[Order], wy[Order], wz[Order];
            splineWeights(Order, u.x - floor(u.x), wx);
            splineWeights(Order, u.y - floor(u.y), wy);
            splineWeights(Order, u.z - floor(u.z), wz);
            double weight = p.charges[particle];
#pragma unroll
            for (int m = 0; m < Order; ++m)
              weight *= (m == Order - 1 - a ? wx[m] : 1.0) * (m == Order - 1 - b ? wy[m] : 1.0) *
                        (m == Order - 1 - c ? wz[m] : 1.0);
            sum += weight;
          }
        }
      }
    }
    mesh[i] = sum;
  }
}

__global__ void filterKernel(int3 n, int axis, const double* weights, int reach, const double* from,
                             double* to) {
  const long long all = 1LL * n.x * n.y * n.z;
  const int length = axis == 0 ? n.x : axis == 1 ? n.y : n.z;
  const long long stride = axis == 0 ? 1LL * n.y * n.z : axis == 1 ? n.z : 1;
  for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < all;
       i += 1LL * gridDim.x * blockDim.x) {
    const int at = static_cast<int>(i / stride % length);
    const double* line = from + (i - at * stride);
    double sum = weights[0] * line[at * stride];
    for (int j = 1; j <= reach; ++j)
      sum += weights[j] * (line[wrapped(at - j, length) * stride] + line[wrapped(at + j, length) * stride]);
    to[i] = sum;
  }
}

__global__ void cellsKernel(MeshParticles p, int* cellOf, int* counts) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < p.count; i += gridDim.x * blockDim.x) {
    const double3 u = p.u[i];
    const int cell = (static_cast<int>(u.x) * p.n.y + static_cast<int>(u.y)) * p.n.z + static_cast<int>(u.z);
    cellOf[i] = cell;
    atomicAdd(counts + cell, 1);
  }
}

template <int Order>
__global__ void interpolateKernel(MeshParticles p, const double* mesh, double* potentials,
                                  double3* gradients) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < p.count; i += gridDim.x * blockDim.x) {
    const double3 u = p.u[i];
    const int x = static_cast<int>(u.x), y = static_cast<int>(u.y), z = static_cast<int>(u.z);
    double wx[Order], wy[Order], wz[Order], sx[Order], sy[Order], sz[Order];
    splineWeightsAndSlopes(Order, u.x - x, wx, sx);
    splineWeightsAndSlopes(Order, u.y - y, wy, sy);
    splineWeightsAndSlopes(Order, u.z - z, wz, sz);
    double value = 0;
    double3 gradient{0, 0, 0};
#pragma unroll(Order <= 4 ? Order : 1)
    for (int a = 0; a < Order; ++a) {
      const long long plane = 1LL * wrapped(x - Order + 1 + a, p.n.x) * p.n.y;
#pragma unroll(Order <= 4 ? Order : 1)
      for (int b = 0; b < Order; ++b) {
        const double* row = mesh + (plane + wrapped(y - Order + 1 + b, p.n.y)) * p.n.z;
        double f = 0, slope = 0;
#pragma unroll
        for (int c = 0; c < Order; ++c) {
          const double m = row[wrapped(z - Order + 1 + c, p.n.z)];
          f += m * wz[c];
          slope += m * sz[c];
        }
        value += wx[a] * wy[b] * f;
        gradient.x += sx[a] * wy[b] * f;
        gradient.y += wx[a] * sy[b] * f;
        gradient.z += wx[a] * wy[b] * slope;
      }
    }
    potentials[i] = value;
    gradients[i] = gradient;
  }
}

/// Calls f with the order, 2 to 12, as a constant.
template <int Order = 2, class F>
void withOrder(int order, F f) {
  if (order == Order) return f(std::integral_constant<int, Order>());
  if constexpr (Order < kMostSplineOrder) {
    withOrder<Order + 1>(order, f);
  } else {
    throw CudaError("splines have orders from 2 to 12; choose one of them");
  }
}

}  // namespace

void launchSpread(const MeshParticles& p, int order, double* mesh, cudaStream_t stream) {
  const long long points = 1LL * p.n.x * p.n.y * p.n.z;
  PROPHET_CUDA_CHECK(cudaMemsetAsync(mesh, 0, points * sizeof(double), stream));
  withOrder(order, [&](auto n) {
    constexpr int kOrder = decltype(n)::value;
    spreadKernel<kOrder>
        <<<gridFor(1LL * p.count * kOrder * kOrder, kThreads), kThreads, 0, stream>>>(p, mesh);
  });
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchGather(const MeshParticles& p, const CellLists& cells, int order, double* mesh,
                  cudaStream_t stream) {
  const long long points = 1LL * p.n.x * p.n.y * p.n.z;
  withOrder(order, [&](auto n) {
    gatherKernel<decltype(n)::value><<<gridFor(points, kThreads), kThreads, 0, stream>>>(p, cells, mesh);
  });
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchFilter(int3 n, const double* weights, int reach, double* mesh, double* other,
                  cudaStream_t stream) {
  const long long points = 1LL * n.x * n.y * n.z;
  for (int axis = 0; axis < 3; ++axis) {
    filterKernel<<<gridFor(points, kThreads), kThreads, 0, stream>>>(n, axis, weights, reach, mesh, other);
    PROPHET_CUDA_CHECK_LAUNCH();
    std::swap(mesh, other);
  }
  // After three steps the result is in what was `other`.
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(other, mesh, points * sizeof(double), cudaMemcpyDeviceToDevice, stream));
}

void launchCells(const MeshParticles& p, int* cellOf, int* counts, cudaStream_t stream) {
  cellsKernel<<<gridFor(p.count, kThreads), kThreads, 0, stream>>>(p, cellOf, counts);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchInterpolate(const MeshParticles& p, int order, const double* mesh, double* potentials,
                       double3* gradients, cudaStream_t stream) {
  withOrder(order, [&](auto n) {
    interpolateKernel<decltype(n)::value>
        <<<gridFor(p.count, kThreads), kThreads, 0, stream>>>(p, mesh, potentials, gradients);
  });
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
