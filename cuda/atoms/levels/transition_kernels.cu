#include "cuda/atoms/levels/transition_kernels.hpp"
#include "cuda/core/common/launch.hpp"

namespace prophet::cuda {
namespace {

constexpr int kTransitionThreads = 256;

__global__ void scatterKernel(std::int64_t count, const int* places, const int* columns, const double* values,
                              int rows, double* matrix) {
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < count;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
    matrix[places[i] + static_cast<std::int64_t>(columns[i]) * rows] = values[i];
}

__device__ double energyOf(const TransitionGrid& grid, std::int64_t i) {
  return grid.ket[i / grid.rows] - grid.bra[i % grid.rows];
}

__global__ void addNodeKernel(TransitionGrid grid, int node, int power, const double* matrix, double* sum) {
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < grid.size();
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x) {
    const double omega = energyOf(grid, i), x = omega * omega;
    double part = power == 1 ? omega : 1.0;
    for (int n = 0; n < grid.nodes; ++n)
      if (n != node) part *= (x - grid.points[n]) / (grid.points[node] - grid.points[n]);
    sum[i] += part * matrix[i];
  }
}

__global__ void divideKernel(TransitionGrid grid, double* matrix) {
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < grid.size();
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x) {
    const double omega = energyOf(grid, i);
    matrix[i] = omega == 0.0 ? 0.0 : matrix[i] / omega;
  }
}

}  // namespace

void scatter(std::int64_t count, const int* places, const int* columns, const double* values, int rows,
             double* matrix, cudaStream_t stream) {
  if (count == 0) return;
  scatterKernel<<<gridFor(count, kTransitionThreads), kTransitionThreads, 0, stream>>>(count, places, columns,
                                                                                       values, rows, matrix);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void addNode(const TransitionGrid& grid, int node, int power, const double* matrix, double* sum,
             cudaStream_t stream) {
  addNodeKernel<<<gridFor(grid.size(), kTransitionThreads), kTransitionThreads, 0, stream>>>(
      grid, node, power, matrix, sum);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void divideByEnergy(const TransitionGrid& grid, double* matrix, cudaStream_t stream) {
  divideKernel<<<gridFor(grid.size(), kTransitionThreads), kTransitionThreads, 0, stream>>>(grid, matrix);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
