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

/// gf of a pair of levels; negative where it is no line.
__device__ double gfOf(const LineGrid& grid, int row, int column, const double* length, double* omega) {
  const std::int64_t i = row + static_cast<std::int64_t>(column) * grid.levels.rows;
  *omega = energyOf(grid.levels, i);
  if ((grid.once && row <= column) || *omega == 0.0) return -1;
  double gf = grid.factor * length[i] * length[i];
  for (int p = 0; p < grid.power; ++p) gf *= fabs(*omega);
  return gf;
}

struct Larger {
  __device__ double operator()(double a, double b) const { return fmax(a, b); }
};
struct Sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

/// Joins the values of a block's threads, in a fixed order.
template <class T, class Join>
__device__ T joined(T value, Join join) {
  __shared__ T parts[kTransitionThreads];
  parts[threadIdx.x] = value;
  __syncthreads();
  for (int half = kTransitionThreads / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half)
      parts[threadIdx.x] = join(parts[threadIdx.x], parts[threadIdx.x + half]);
    __syncthreads();
  }
  return parts[0];
}

__global__ void largestKernel(LineGrid grid, const double* length, double* largest) {
  const int column = static_cast<int>(blockIdx.x);
  double most = 0, omega = 0;
  for (int row = static_cast<int>(threadIdx.x); row < grid.levels.rows; row += kTransitionThreads)
    most = fmax(most, gfOf(grid, row, column, length, &omega));
  most = joined(most, Larger());
  if (threadIdx.x == 0) largest[column] = most;
}

__global__ void countKernel(LineGrid grid, const double* length, int* counts, double* below) {
  const int column = static_cast<int>(blockIdx.x);
  double sum = 0, omega = 0;
  int count = 0;
  for (int row = static_cast<int>(threadIdx.x); row < grid.levels.rows; row += kTransitionThreads) {
    const double gf = gfOf(grid, row, column, length, &omega);
    if (gf >= grid.least)
      ++count;
    else if (gf > 0 && omega > 0)
      sum += omega * omega * gf;
  }
  sum = joined(sum, Sum());
  count = joined(count, Sum());
  if (threadIdx.x == 0) {
    below[column] = sum;
    counts[column] = count;
  }
}

__global__ void belowKernel(LineGrid grid, const double* length, double* below) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= grid.levels.rows) return;
  double sum = 0, omega = 0;
  for (int column = 0; column < grid.levels.columns; ++column) {
    const double gf = gfOf(grid, row, column, length, &omega);
    if (gf > 0 && gf < grid.least && omega < 0) sum += omega * omega * gf;
  }
  below[row] = sum;
}

__global__ void chooseKernel(LineGrid grid, const double* length, const double* velocity, LinePlaces lines) {
  __shared__ int next;
  const int column = static_cast<int>(blockIdx.x);
  if (threadIdx.x == 0) next = lines.starts[column];
  __syncthreads();
  double omega = 0;
  for (int row = static_cast<int>(threadIdx.x); row < grid.levels.rows; row += kTransitionThreads) {
    if (!(gfOf(grid, row, column, length, &omega) >= grid.least)) continue;
    const int at = atomicAdd(&next, 1);
    const std::int64_t i = row + static_cast<std::int64_t>(column) * grid.levels.rows;
    lines.bra[at] = row;
    lines.ket[at] = column;
    lines.length[at] = length[i];
    if (lines.velocity) lines.velocity[at] = velocity[i];
  }
}

__global__ void spreadKernel(int count, LinePlaces lines, int rows, const double* own, const double* moved,
                             double most, double* sums) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (n >= count) return;
  const std::int64_t i = lines.bra[n] + static_cast<std::int64_t>(lines.ket[n]) * rows;
  const double change = 2 * log10(fabs(moved[i] / own[i]));
  if (isnan(change)) return;
  const double limited = fmin(fmax(change, -most), most);
  sums[n] += limited * limited;
}

}  // namespace

void largestOfColumns(const LineGrid& grid, const double* length, double* largest, cudaStream_t stream) {
  largestKernel<<<grid.levels.columns, kTransitionThreads, 0, stream>>>(grid, length, largest);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void countLines(const LineGrid& grid, const double* length, int* counts, double* belowBra, double* belowKet,
                cudaStream_t stream) {
  countKernel<<<grid.levels.columns, kTransitionThreads, 0, stream>>>(grid, length, counts, belowKet);
  PROPHET_CUDA_CHECK_LAUNCH();
  belowKernel<<<(grid.levels.rows + kTransitionThreads - 1) / kTransitionThreads, kTransitionThreads, 0,
                stream>>>(grid, length, belowBra);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void chooseLines(const LineGrid& grid, const double* length, const double* velocity, const LinePlaces& lines,
                 cudaStream_t stream) {
  chooseKernel<<<grid.levels.columns, kTransitionThreads, 0, stream>>>(grid, length, velocity, lines);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void addSpreads(int count, const LinePlaces& lines, int rows, const double* own, const double* moved,
                double most, double* sums, cudaStream_t stream) {
  if (count == 0) return;
  spreadKernel<<<(count + kTransitionThreads - 1) / kTransitionThreads, kTransitionThreads, 0, stream>>>(
      count, lines, rows, own, moved, most, sums);
  PROPHET_CUDA_CHECK_LAUNCH();
}

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
