#pragma once
#include "cuda/atoms/batch/packed_ldl.cuh"

/// A block's factorisation L D L^T of one symmetric matrix in shared memory (lower triangle, packed by
/// columns; see cuda/atoms/batch/packed_ldl.cuh), for where few matrices cannot wait: kPanel columns at a
/// time by one warp, which all warps then subtract from the columns after them. Rows r of a lane: r = lane +
/// 32 s.
namespace prophet::cuda {

using batch::entryOf;
using batch::kPanel;
using batch::packedColumn;

/// Warps of a block.
constexpr int kFactorWarps = 8;

/// Columns of the triangle and of the last panel times its pivots (kPanel numbers for each row), then a
/// vector. In shared memory; functions, so that the compiler knows that.
__device__ inline double* packedTriangle() {
  extern __shared__ __align__(16) double triangleOfShared[];
  return triangleOfShared;
}
__device__ inline double* panelOf(int size) { return packedTriangle() + batch::panelWeights(size); }
__device__ inline double* vectorOf(int size) { return packedTriangle() + batch::packedDoubles(size); }

/// The panel of columns j .. j + kPanel - 1, from which all columns before it have been subtracted; one warp.
/// Returns the number of negative pivots.
template <int Slices>
__device__ int factorisePanel(int size, int j) {
  double *packed = packedTriangle(), *panel = panelOf(size);
  const int lane = threadIdx.x % 32;
  double value[kPanel][Slices];
#pragma unroll
  for (int t = 0; t < kPanel; ++t) {
    const double* own = packed + packedColumn(min(j + t, size - 1), size);
#pragma unroll
    for (int s = 0; s < Slices; ++s) value[t][s] = own[lane + 32 * s];
  }
  __syncwarp();  // idle lanes read what others are going to write, and throw it away
  int negative = 0;
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
    double* own = packed + packedColumn(min(j + t, size - 1), size);
#pragma unroll
    for (int s = 0; s < Slices; ++s) {
      const int row = lane + 32 * s;
      if (row >= j + t && row < size) own[row] = row == j + t ? pivot : value[t][s] * inverse;
      if (row < size) panel[kPanel * row + t] = value[t][s];
    }
  }
  return negative;
}

/// Subtracts a panel from the columns after it, of which each warp has every eighth.
template <int Slices>
__device__ void subtractPanel(int size, int j) {
  double *packed = packedTriangle(), *panel = panelOf(size);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  double l[kPanel][Slices];
#pragma unroll
  for (int t = 0; t < kPanel; ++t) {
    const double* own = packed + packedColumn(min(j + t, size - 1), size);
#pragma unroll
    for (int s = 0; s < Slices; ++s) l[t][s] = lane + 32 * s < size ? own[lane + 32 * s] : 0.0;
  }
#pragma unroll 2
  for (int k = j + kPanel + warp; k < size; k += kFactorWarps) {
    const double2 left = *reinterpret_cast<const double2*>(panel + kPanel * k),
                  right = *reinterpret_cast<const double2*>(panel + kPanel * k + 2);
    double* column = packed + packedColumn(k, size);
#pragma unroll
    for (int s = 0; s < Slices; ++s) {
      const int row = lane + 32 * s;
      if (row < k || row >= size) continue;
      column[row] -= l[0][s] * left.x + l[1][s] * left.y + l[2][s] * right.x + l[3][s] * right.y;
    }
  }
}

/// Factorises the packed triangle, which all threads have filled; returns the number of negative pivots, to
/// the first warp.
template <int Slices>
__device__ int factoriseByBlock(int size) {
  int negative = 0;
  for (int j = 0; j < size; j += kPanel) {
    __syncthreads();
    if (threadIdx.x < 32) negative += factorisePanel<Slices>(size, j);
    __syncthreads();
    if (j + kPanel < size) subtractPanel<Slices>(size, j);
  }
  return negative;
}

/// Element (row, column) of L, row > column; zero past the end.
__device__ inline double lower(int size, int row, int column) {
  return row < size ? packedTriangle()[packedColumn(column, size) + row] : 0.0;
}

/// x <- L^-1 x, kPanel columns at a time; one warp, a lane has every 32nd row.
template <int Slices>
__device__ void solveLower(int size, double (&x)[Slices]) {
  const int lane = threadIdx.x % 32;
  for (int j = 0; j < size; j += kPanel) {
    double known[kPanel];
#pragma unroll
    for (int t = 0; t < kPanel; ++t) {
      known[t] = entryOf<Slices>(x, min(j + t, size - 1));
#pragma unroll
      for (int u = 0; u < t; ++u) known[t] -= lower(size, j + t, j + u) * known[u];
    }
#pragma unroll
    for (int s = 0; s < Slices; ++s) {
      const int row = lane + 32 * s;
      if (row <= j || row >= size) continue;
#pragma unroll
      for (int t = 0; t < kPanel; ++t) {
        if (row > j + t) x[s] -= lower(size, row, j + t) * known[t];
      }
    }
  }
}

/// x <- L^-T x, likewise.
template <int Slices>
__device__ void solveUpper(int size, double (&x)[Slices]) {
  const int lane = threadIdx.x % 32;
  for (int j = (size - 1) / kPanel * kPanel; j >= 0; j -= kPanel) {
    double known[kPanel];
#pragma unroll
    for (int t = kPanel - 1; t >= 0; --t) {
      known[t] = j + t < size ? entryOf<Slices>(x, min(j + t, size - 1)) : 0.0;
#pragma unroll
      for (int u = t + 1; u < kPanel; ++u) known[t] -= lower(size, j + u, j + t) * known[u];
    }
#pragma unroll
    for (int s = 0; s < Slices; ++s) {
      const int row = lane + 32 * s;
      if (row >= j + kPanel) continue;
#pragma unroll
      for (int t = 0; t < kPanel; ++t) {
        if (row < j + t && j + t < size) x[s] -= lower(size, j + t, row) * known[t];
      }
    }
  }
}

/// x <- (L D L^T)^-1 x; one warp.
template <int Slices>
__device__ void solveByWarp(int size, double (&x)[Slices]) {
  solveLower<Slices>(size, x);
#pragma unroll
  for (int s = 0; s < Slices; ++s) {
    const int row = static_cast<int>(threadIdx.x) % 32 + 32 * s;
    if (row < size) x[s] /= packedTriangle()[packedColumn(row, size) + row];
  }
  solveUpper<Slices>(size, x);
}

}  // namespace prophet::cuda
