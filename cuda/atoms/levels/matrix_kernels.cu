#include "cuda/atoms/levels/matrix_kernels.hpp"
#include "cuda/core/common/launch.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 256, kMoveThreads = 64;

__device__ unsigned slotOf(unsigned long long d) {
  d *= 0x9e3779b97f4a7c15ull;
  return static_cast<unsigned>(d >> 32);
}

__global__ void insertKernel(int count, const unsigned long long* determinants, DeterminantTable table) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  for (unsigned at = slotOf(determinants[i]) & table.mask;; at = (at + 1) & table.mask)
    if (atomicCAS(table.keys + at, 0ull, determinants[i]) == 0ull) {
      table.numbers[at] = i;
      return;
    }
}

__device__ int numberOf(const DeterminantTable& table, unsigned long long d) {
  for (unsigned at = slotOf(d) & table.mask;; at = (at + 1) & table.mask) {
    const unsigned long long key = table.keys[at];
    if (key == d) return table.numbers[at];
    if (key == 0ull) return -1;
  }
}

/// Electrons below an operator at a place.
__device__ int below(unsigned long long d, int place) { return __popcll(d & ((1ull << place) - 1)); }

__global__ void applyKernel(MoveTable moves, int count, const unsigned long long* determinants,
                            DeterminantTable table, int first, int columns, double* matrix) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (column >= columns) return;
  double* const out = matrix + static_cast<std::int64_t>(column) * count;
  const unsigned long long d = determinants[first + column];
  const auto add = [&](unsigned long long other, int swaps, double value) {
    const int row = numberOf(table, other);
    if (row >= 0) out[row] += swaps % 2 == 0 ? value : -value;
  };
  for (unsigned long long rest = d; rest != 0; rest &= rest - 1) {
    const int i = __ffsll(static_cast<long long>(rest)) - 1;
    const unsigned long long without = d ^ (1ull << i);
    for (int m = moves.first[i]; m < moves.first[i + 1]; ++m) {
      const int k = moves.to[m];
      if (!(without >> k & 1)) add(without | 1ull << k, below(d, i) + below(without, k), moves.values[m]);
    }
  }
  for (unsigned long long one = d; one != 0; one &= one - 1) {
    const int i = __ffsll(static_cast<long long>(one)) - 1;
    for (unsigned long long two = one & (one - 1); two != 0; two &= two - 1) {
      const int j = __ffsll(static_cast<long long>(two)) - 1;
      const unsigned long long withoutI = d ^ (1ull << i), without = withoutI ^ (1ull << j);
      const int swaps = below(d, i) + below(withoutI, j), list = moves.places + i * moves.places + j;
      for (int m = moves.first[list]; m < moves.first[list + 1]; ++m) {
        const int k = moves.to[m] % 64, l = moves.to[m] / 64;
        if ((without >> k | without >> l) & 1) continue;
        const unsigned long long withL = without | 1ull << l;
        add(withL | 1ull << k, swaps + below(without, l) + below(withL, k), moves.values[m]);
      }
    }
  }
}

__global__ void sumKernel(std::int64_t size, MatrixSum sum, bool adds, double* out) {
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < size;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x) {
    double value = adds ? out[i] : 0.0;
    for (int m = 0; m < sum.count; ++m) value += sum.factors[m] * sum.matrices[m][i];
    out[i] = value;
  }
}

__global__ void diagonalKernel(int n, const double* values, double* matrix) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) matrix[static_cast<std::int64_t>(i) * n + i] += values[i];
}

/// `rows`, `columns`: their numbers; nullptr: all of them.
__global__ void gatherKernel(int count, const int* rows, std::int64_t size, const int* columns,
                             const double* from, int stride, double* out) {
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < size;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x) {
    const int column = static_cast<int>(i / count), row = static_cast<int>(i % count);
    out[i] = from[static_cast<std::int64_t>(columns ? columns[column] : column) * stride +
                  (rows ? rows[row] : row)];
  }
}

__global__ void productsKernel(int rows, const double* a, const double* b, double* sums) {
  __shared__ double parts[kThreads];
  const std::int64_t start = static_cast<std::int64_t>(blockIdx.x) * rows;
  double sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < rows; i += kThreads) sum += a[start + i] * b[start + i];
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = parts[0];
}

__global__ void turnKernel(int n, const double* values, double* between) {
  const std::int64_t size = static_cast<std::int64_t>(n) * n;
  for (std::int64_t at = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; at < size;
       at += static_cast<std::int64_t>(gridDim.x) * blockDim.x) {
    const int i = static_cast<int>(at / n), j = static_cast<int>(at % n);
    const double d = between[at];
    between[at] = i == j ? 1.0 : d != 0 ? 0.5 * atan(2 * d / (values[i] - values[j])) : 0.0;
  }
}

__global__ void normaliseKernel(int rows, std::int64_t size, const double* squares, double* matrix) {
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < size;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
    matrix[i] /= sqrt(squares[i / rows]);
}

}  // namespace

void insertDeterminants(int count, const unsigned long long* determinants, DeterminantTable table,
                        cudaStream_t stream) {
  insertKernel<<<(count + kThreads - 1) / kThreads, kThreads, 0, stream>>>(count, determinants, table);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void applyMoves(const MoveTable& moves, int count, const unsigned long long* determinants,
                const DeterminantTable& table, int first, int columns, double* matrix, cudaStream_t stream) {
  applyKernel<<<(columns + kMoveThreads - 1) / kMoveThreads, kMoveThreads, 0, stream>>>(
      moves, count, determinants, table, first, columns, matrix);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void sumMatrices(std::int64_t size, const MatrixSum& sum, bool adds, double* out, cudaStream_t stream) {
  sumKernel<<<gridFor(size, kThreads), kThreads, 0, stream>>>(size, sum, adds, out);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void addDiagonal(int n, const double* values, double* matrix, cudaStream_t stream) {
  diagonalKernel<<<(n + kThreads - 1) / kThreads, kThreads, 0, stream>>>(n, values, matrix);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void gatherRows(int count, const int* rows, int columns, const double* from, int stride, double* out,
                cudaStream_t stream) {
  const std::int64_t size = static_cast<std::int64_t>(count) * columns;
  gatherKernel<<<gridFor(size, kThreads), kThreads, 0, stream>>>(count, rows, size, nullptr, from, stride,
                                                                 out);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void gatherBoth(int count, const int* rows, const double* from, int stride, double* out,
                cudaStream_t stream) {
  const std::int64_t size = static_cast<std::int64_t>(count) * count;
  gatherKernel<<<gridFor(size, kThreads), kThreads, 0, stream>>>(count, rows, size, rows, from, stride, out);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void gatherColumns(int rows, int count, const int* columns, const double* from, double* out,
                   cudaStream_t stream) {
  const std::int64_t size = static_cast<std::int64_t>(rows) * count;
  gatherKernel<<<gridFor(size, kThreads), kThreads, 0, stream>>>(rows, nullptr, size, columns, from, rows,
                                                                 out);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void columnProducts(int rows, int columns, const double* a, const double* b, double* sums,
                    cudaStream_t stream) {
  productsKernel<<<columns, kThreads, 0, stream>>>(rows, a, b, sums);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void turnLevels(int n, const double* values, double* between, cudaStream_t stream) {
  turnKernel<<<gridFor(static_cast<std::int64_t>(n) * n, kThreads), kThreads, 0, stream>>>(n, values,
                                                                                           between);
  PROPHET_CUDA_CHECK_LAUNCH();
}

void normaliseColumns(int rows, int columns, const double* squares, double* matrix, cudaStream_t stream) {
  const std::int64_t size = static_cast<std::int64_t>(rows) * columns;
  normaliseKernel<<<gridFor(size, kThreads), kThreads, 0, stream>>>(rows, size, squares, matrix);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda
