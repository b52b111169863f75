#pragma once

/// One warp's LDL^T factorisation of a symmetric matrix in shared memory: lower triangle, packed by columns,
/// so that the 32 lanes, each holding every 32nd row, read consecutive words. Rows r of a lane: r = lane + 32
/// s.
namespace prophet::cuda::batch {

__device__ inline int packedColumn(int j, int size) { return j * size - j * (j - 1) / 2 - j; }  ///< + row

/// Factorises in place without pivoting: L below the diagonal (unit), D on it. Returns the number of negative
/// pivots, which is the number of negative eigenvalues (Sylvester). Slices = (size + 31)/32.
template <int Slices>
__device__ int factorise(double* a, int size) {
  constexpr int kStep = 4;  // columns in flight: hides the latency of shared memory
  const int lane = threadIdx.x % 32;
  int negative = 0;
  for (int k = 0; k < size; ++k) {
    const int column = packedColumn(k, size);
    double pivot = a[column + k];
    if (fabs(pivot) < 1e-290) pivot = 1e-290;
    negative += pivot < 0.0;
    const double inverse = 1.0 / pivot;
    double own[Slices];
#pragma unroll
    for (int s = 0; s < Slices; ++s) {
      const int row = lane + 32 * s;
      own[s] = row > k && row < size ? a[column + row] * inverse : 0.0;
    }
    for (int j0 = k + 1; j0 < size; j0 += kStep) {
      double value[kStep][Slices], factor[kStep];
#pragma unroll
      for (int t = 0; t < kStep; ++t) {
        const int j = j0 + t;
        if (j >= size) continue;
        factor[t] = a[column + j];
        const int target = packedColumn(j, size);
#pragma unroll
        for (int s = 0; s < Slices; ++s) {
          const int row = lane + 32 * s;
          if (row >= j && row < size) value[t][s] = a[target + row];
        }
      }
#pragma unroll
      for (int t = 0; t < kStep; ++t) {
        const int j = j0 + t;
        if (j >= size) continue;
        const int target = packedColumn(j, size);
#pragma unroll
        for (int s = 0; s < Slices; ++s) {
          const int row = lane + 32 * s;
          if (row >= j && row < size) a[target + row] = value[t][s] - own[s] * factor[t];
        }
      }
    }
    __syncwarp();
#pragma unroll
    for (int s = 0; s < Slices; ++s) {
      const int row = lane + 32 * s;
      if (row > k && row < size) a[column + row] = own[s];
      if (row == k) a[column + k] = pivot;
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

/// Scales x to length 1; false where that is impossible.
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
