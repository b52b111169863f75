#pragma once
#include "cuda/atoms/batch/block_memory.hpp"

/// One warp's LDL^T factorisation of a symmetric matrix in shared memory: lower triangle, packed by columns,
/// so that the 32 lanes, each holding every 32nd row, read consecutive words. Rows r of a lane: r = lane + 32
/// s.
namespace prophet::cuda::batch {

__device__ inline int packedColumn(int j, int size) { return j * size - j * (j - 1) / 2 - j; }  ///< + row

/// Row `row` of a vector that the lanes hold, for all of them.
template <int Slices>
__device__ double entryOf(const double (&x)[Slices], int row) {
  double mine = 0.0;
#pragma unroll
  for (int s = 0; s < Slices; ++s) {
    if (row / 32 == s) mine = x[s];
  }
  return __shfl_sync(0xffffffffu, mine, row % 32);
}

/// value -= (columns before j) times (their weights); slices from First on, those before end above row j.
/// Idle lanes read what lies beside a column and throw it away.
template <int Slices, int First>
__device__ __forceinline__ void subtractColumns(const double* a, const double* weight, int size, int j,
                                                double (&value)[kPanel][Slices]) {
  if constexpr (First + 1 < Slices) {
    if (j >= 32 * (First + 1)) return subtractColumns<Slices, First + 1>(a, weight, size, j, value);
  }
  const double* column = a + threadIdx.x % 32;
#pragma unroll 4
  for (int k = 0; k < j; ++k) {
    const double2 left = *reinterpret_cast<const double2*>(weight + k * kPanel),
                  right = *reinterpret_cast<const double2*>(weight + k * kPanel + 2);
#pragma unroll
    for (int s = First; s < Slices; ++s) {
      const double l = column[32 * s];
      value[0][s] -= l * left.x;
      value[1][s] -= l * left.y;
      value[2][s] -= l * right.x;
      value[3][s] -= l * right.y;
    }
    column += size - k - 1;
  }
}

/// Columns j .. j + kPanel - 1, less what the columns before them contribute: each of these is read once for
/// the whole panel.
template <int Slices>
__device__ __forceinline__ void updatePanel(const double* a, double* weight, int size, int j,
                                            double (&value)[kPanel][Slices]) {
  const int lane = threadIdx.x % 32;
  for (int k = lane; k < j; k += 32) {
    const double* column = a + packedColumn(k, size);
    const double pivot = column[k];
#pragma unroll
    for (int t = 0; t < kPanel; t += 2) {
      const double2 pair{column[j + t] * pivot, j + t + 1 < size ? column[j + t + 1] * pivot : 0.0};
      *reinterpret_cast<double2*>(weight + k * kPanel + t) = j + t < size ? pair : double2{0.0, 0.0};
    }
  }
  __syncwarp();
#pragma unroll
  for (int t = 0; t < kPanel; ++t) {
    const double* own = a + packedColumn(min(j + t, size - 1), size);
#pragma unroll
    for (int s = 0; s < Slices; ++s) value[t][s] = own[lane + 32 * s];
  }
  subtractColumns<Slices, 0>(a, weight, size, j, value);
}

/// Factorises in place without pivoting: L below the diagonal (unit), D on it. Returns the number of negative
/// pivots, which is the number of negative eigenvalues (Sylvester). Slices = (size + 31)/32. Panel by panel,
/// each from all columns before it, so that inner loops only read, and every element is written once. Columns
/// past the end are computed and thrown away: branches would send a panel from registers to memory.
template <int Slices>
__device__ __forceinline__ int factorise(double* a, int size) {
  const int lane = threadIdx.x % 32;
  int negative = 0;
  for (int j = 0; j < size; j += kPanel) {
    double value[kPanel][Slices];
    updatePanel<Slices>(a, a + panelWeights(size), size, j, value);
    __syncwarp();
#pragma unroll
    for (int t = 0; t < kPanel; ++t) {
      double pivot = entryOf<Slices>(value[t], j + t);
      if (fabs(pivot) < 1e-290) pivot = 1e-290;
      negative += j + t < size && pivot < 0.0;
      const double inverse = 1.0 / pivot;
#pragma unroll
      for (int u = t + 1; u < kPanel; ++u) {
        const double factor = entryOf<Slices>(value[t], j + u) * inverse;
#pragma unroll
        for (int s = 0; s < Slices; ++s) value[u][s] -= factor * value[t][s];
      }
      double* own = a + packedColumn(min(j + t, size - 1), size);
#pragma unroll
      for (int s = 0; s < Slices; ++s) {
        const int row = lane + 32 * s;
        if (row >= j + t && row < size) own[row] = row == j + t ? pivot : value[t][s] * inverse;
      }
    }
    __syncwarp();
  }
  return negative;
}

/// x <- (L D L^T)^-1 x; x in registers, rows as above.
template <int Slices>
__device__ void solveFactorised(const double* a, int size, double (&x)[Slices]) {
  const int lane = threadIdx.x % 32;
#pragma unroll 4
  for (int k = 0; k < size; ++k) {
    const double xk = entryOf<Slices>(x, k);
    const int column = packedColumn(k, size);
#pragma unroll
    for (int s = 0; s < Slices; ++s) {
      const int row = lane + 32 * s;
      if (row > k && row < size) x[s] -= a[column + row] * xk;
    }
  }
#pragma unroll
  for (int s = 0; s < Slices; ++s) {
    const int row = lane + 32 * s;
    if (row < size) x[s] /= a[packedColumn(row, size) + row];
  }
#pragma unroll 4
  for (int k = size - 1; k > 0; --k) {
    const double xk = entryOf<Slices>(x, k);
#pragma unroll
    for (int s = 0; s < Slices; ++s) {
      const int row = lane + 32 * s;
      if (row < k) x[s] -= a[packedColumn(row, size) + k] * xk;
    }
  }
}

__device__ inline double warpSum(double value) {
  for (int step = 16; step > 0; step >>= 1) value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}

/// Scales x to length 1; false if that is impossible.
template <int Slices>
__device__ bool normalise(double (&x)[Slices]) {
  double largest = 0.0;
#pragma unroll
  for (int s = 0; s < Slices; ++s) largest = fmax(largest, fabs(x[s]));
  for (int step = 16; step > 0; step >>= 1)
    largest = fmax(largest, __shfl_xor_sync(0xffffffffu, largest, step));
  double norm = 0.0;
#pragma unroll
  for (int s = 0; s < Slices; ++s) {
    x[s] /= largest;
    norm += x[s] * x[s];
  }
  norm = warpSum(norm);
  const double scale = rsqrt(norm);
#pragma unroll
  for (int s = 0; s < Slices; ++s) x[s] *= scale;
  return norm > 0.0 && norm < 1e300;  // false for not-a-number too
}

}  // namespace prophet::cuda::batch
