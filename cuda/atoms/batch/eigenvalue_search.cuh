#pragma once
#include "cuda/atoms/batch/packed_ldl.cuh"

/// What searches for single eigenvectors by factorisations share, whoever factorises.
namespace prophet::cuda::batch {

/// Element of a vector to begin inverse iteration with: any that is orthogonal to no eigenvector will do.
__device__ inline double startEntry(int row) {
  return 1.0 + 0.25 * ((row * 37) % 11) - 0.4 * ((row * 23) % 7);
}

/// Distance of two vectors of length 1, whatever their signs.
template <int Slices>
__device__ double distance(const double (&x)[Slices], const double (&y)[Slices]) {
  double dot = 0.0, sum = 0.0;
#pragma unroll
  for (int s = 0; s < Slices; ++s) dot += x[s] * y[s];
  const double sign = warpSum(dot) < 0.0 ? -1.0 : 1.0;
#pragma unroll
  for (int s = 0; s < Slices; ++s) sum += (x[s] - sign * y[s]) * (x[s] - sign * y[s]);
  return sqrt(warpSum(sum));
}

}  // namespace prophet::cuda::batch
