#include <algorithm>

#include "core/mesh/bspline.hpp"
#include "cuda/core/common/check.hpp"
#include "cuda/core/common/launch.hpp"
#include "cuda/matter/mesh/spme_kernels.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 256;

__device__ int wrapped(int i, int n) { return i < 0 ? i + n : (i >= n ? i - n : i); }

/// One line along the third axis of the points that a particle touches.
template <int Order>
__device__ void spreadLine(const Quad& u, int line, int3 n, double* mesh) {
  const int x = static_cast<int>(u.x), y = static_cast<int>(u.y), z = static_cast<int>(u.z);
  double wx[Order], wy[Order], wz[Order];
  splineWeights(Order, u.x - x, wx);
  splineWeights(Order, u.y - y, wy);
  splineWeights(Order, u.z - z, wz);
  double weight = u.w;
  const int a = line / Order, b = line % Order;
#pragma unroll
  for (int k = 0; k < Order; ++k) weight *= (k == a ? wx[k] : 1.0) * (k == b ? wy[k] : 1.0);
  double* row = mesh + (1LL * wrapped(x - Order + 1 + a, n.x) * n.y + wrapped(y - Order + 1 + b, n.y)) * n.z;
#pragma unroll
  for (int k = 0; k < Order; ++k) atomicAdd(row + wrapped(z - Order + 1 + k, n.z), weight * wz[k]);
}

template <int Order>
__global__ void spreadKernel(MeshParticles p, double* mesh) {
  const long long all = 1LL * p.count * Order * Order;
  for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < all; i += 1LL * gridDim.x * blockDim.x)
    spreadLine<Order>(p.places[i / (Order * Order)], static_cast<int>(i % (Order * Order)), p.n, mesh);
}

template <int Order>
__global__ void spreadRestKernel(MeshParticles p, CellOwners cells, double* mesh) {
  const long long all = 1LL * *cells.restCount * Order * Order;
  for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < all; i += 1LL * gridDim.x * blockDim.x)
    spreadLine<Order>(p.places[cells.rest[i / (Order * Order)]], static_cast<int>(i % (Order * Order)), p.n,
                      mesh);
}

/// Weights of each particle along the three axes, the first ones times its charge, in descending order of the
/// points: those of the cells that a point looks at in ascending order.
template <int Order>
__global__ void splinesKernel(MeshParticles p, double* splines) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < p.count; i += gridDim.x * blockDim.x) {
    const Quad u = p.places[i];
    const double f[3] = {u.x - floor(u.x), u.y - floor(u.y), u.z - floor(u.z)};
    double* own = splines + 3LL * Order * i;
#pragma unroll
    for (int d = 0; d < 3; ++d) {
      double weights[Order];
      splineWeights(Order, f[d], weights);
#pragma unroll
      for (int k = 0; k < Order; ++k) own[d * Order + k] = weights[Order - 1 - k] * (d == 0 ? u.w : 1.0);
    }
  }
}

template <int Order>
__global__ void gatherKernel(int3 n, CellOwners cells, const double* splines, double* mesh) {
  const long long all = 1LL * n.x * n.y * n.z;
  for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < all;
       i += 1LL * gridDim.x * blockDim.x) {
    const int z = static_cast<int>(i % n.z), y = static_cast<int>(i / n.z % n.y),
              x = static_cast<int>(i / n.z / n.y);
    double sum = 0;
    for (int a = 0; a < Order; ++a) {
      for (int b = 0; b < Order; ++b) {
        const long long row = (1LL * wrapped(x + a, n.x) * n.y + wrapped(y + b, n.y)) * n.z;
#pragma unroll
        for (int c = 0; c < Order; ++c) {
          const int particle = cells.owner[row + wrapped(z + c, n.z)];
          if (particle < 0) continue;
          const double* own = splines + 3LL * Order * particle;
          sum += own[a] * own[Order + b] * own[2 * Order + c];
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

__device__ int cellOfPlace(const Quad& u, int3 n) {
  return (static_cast<int>(u.x) * n.y + static_cast<int>(u.y)) * n.z + static_cast<int>(u.z);
}

__global__ void ownersKernel(MeshParticles p, int* owner, int* rest, int* restCount) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < p.count; i += gridDim.x * blockDim.x) {
    if (atomicCAS(owner + cellOfPlace(p.places[i], p.n), -1, i) != -1) rest[atomicAdd(restCount, 1)] = i;
  }
}

template <int Order>
__global__ void interpolateKernel(MeshParticles p, const double* mesh, Quad* gradients) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < p.count; i += gridDim.x * blockDim.x) {
    const Quad u = p.places[i];
    const int x = static_cast<int>(u.x), y = static_cast<int>(u.y), z = static_cast<int>(u.z);
    double wx[Order], wy[Order], wz[Order], sx[Order], sy[Order], sz[Order];
    splineWeightsAndSlopes(Order, u.x - x, wx, sx);
    splineWeightsAndSlopes(Order, u.y - y, wy, sy);
    splineWeightsAndSlopes(Order, u.z - z, wz, sz);
    Quad sum{0, 0, 0, 0};
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
        sum.x += sx[a] * wy[b] * f;
        sum.y += wx[a] * sy[b] * f;
        sum.z += wx[a] * wy[b] * slope;
        sum.w += wx[a] * wy[b] * f;
      }
    }
    gradients[i] = sum;
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

void launchGather(const MeshParticles& p, const CellOwners& cells, int order, double* splines, double* mesh,
                  cudaStream_t stream) {
  const long long points = 1LL * p.n.x * p.n.y * p.n.z;
  withOrder(order, [&](auto n) {
    constexpr int kOrder = decltype(n)::value;
    splinesKernel<kOrder><<<gridFor(p.count, kThreads), kThreads, 0, stream>>>(p, splines);
    PROPHET_CUDA_CHECK_LAUNCH();
    gatherKernel<kOrder><<<gridFor(points, kThreads), kThreads, 0, stream>>>(p.n, cells, splines, mesh);
    PROPHET_CUDA_CHECK_LAUNCH();
    // How many there are only the device knows; mostly they are few.
    spreadRestKernel<kOrder><<<gridFor(p.count, kThreads), kThreads, 0, stream>>>(p, cells, mesh);
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

void launchOwners(const MeshParticles& p, int* owner, int* rest, int* restCount, cudaStream_t stream) {
  ownersKernel<<<gridFor(p.count, kThreads), kThreads, 0, stream>>>(p, owner, rest, restCount);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void launchInterpolate(const MeshParticles& p, int order, const double* mesh, Quad* gradients,
                       cudaStream_t stream) {
  withOrder(order, [&](auto n) {
    interpolateKernel<decltype(n)::value>
        <<<gridFor(p.count, kThreads), kThreads, 0, stream>>>(p, mesh, gradients);
  });
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
