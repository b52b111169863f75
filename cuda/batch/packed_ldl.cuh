#pragma once

/// One warp's LDL^T factorisation of a symmetric matrix in shared memory: lower triangle, packed by columns,
/// so that the 32 lanes, each holding every 32nd row, read consecutive words. Rows r of a lane: r = lane + 32
/// s.
namespace prophet::cuda::batch {

__device__ inline int packedColumn(int j, int size) { return j * size - j * (j - 1) / 2 - j; }  ///< + row

/// Doubles of shared memory that a problem needs: the triangle, room for reads of a column's idle lanes past
/// its end, and a row of weights.
__host__ __device__ inline int packedDoubles(int size) { return size * (size + 1) / 2 + 64 + size; }

/// Factorises in place without pivoting: L below the diagonal (unit), D on it. Returns the number of negative
/// pivots, which is the number of negative eigenvalues (Sylvester). Slices = (size + 31)/32. Column by
/// column, each from all before it: the inner loop only reads, so that loads need not wait for one another,
/// and every element is written once. Idle lanes read what lies beside the column and throw it away.
template <int Slices>
__device__ int factorise(double* a, int size) {
  const int lane = threadIdx.x % 32;
  double* weight = a + size * (size + 1) / 2 + 64;
  int negative = 0;
  for (int j = 0; j < size; ++j) {
    for (int k = lane; k < j; k += 32) {
      const int column = packedColumn(k, size);
      weight[k] = a[column + j] * a[column + k];
    }
    __syncwarp();
    const int own = packedColumn(j, size);
    double value[Slices], pivot = 0.0;
#pragma unroll
    for (int s = 0; s < Slices; ++s) {
      const int row = lane + 32 * s;
      value[s] = 0.0;
      if (32 * s + 31 < j) continue;
      double sum[4] = {a[own + row], 0.0, 0.0, 0.0};
      int k = 0;
      for (; k + 4 <= j; k += 4) {
#pragma unroll
        for (int t = 0; t < 4; ++t) sum[t] -= a[packedColumn(k + t, size) + row] * weight[k + t];
      }
      for (; k < j; ++k) sum[0] -= a[packedColumn(k, size) + row] * weight[k];
      value[s] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
      if (j / 32 == s) pivot = value[s];
    }
    pivot = __shfl_sync(0xffffffffu, pivot, j % 32);
    if (fabs(pivot) < 1e-290) pivot = 1e-290;
    negative += pivot < 0.0;
    const double inverse = 1.0 / pivot;
    __syncwarp();
#pragma unroll
    for (int s = 0; s < Slices; ++s) {
      const int row = lane + 32 * s;
      if (row > j && row < size) a[own + row] = value[s] * inverse;
      if (row == j) a[own + row] = pivot;
    }
    __syncwarp();
  }
  return negative;
}

/// x <- (L D L^T)^-1 x; x in registers, rows as above.
template <int Slices>
__device__ void solveFactorised(const double* a, int size, double (&x)[Slices]) {
  const int lane = threadIdx.x % 32;
  const auto element = [&](int row) {
    double mine = 0.0;
#pragma unroll
    for (int s = 0; s < Slices; ++s) {
      if (row / 32 == s) mine = x[s];
    }
    return __shfl_sync(0xffffffffu, mine, row % 32);
  };
#pragma unroll 4
  for (int k = 0; k < size; ++k) {
    const double xk = element(k);
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
    const double xk = element(k);
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
