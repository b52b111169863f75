#pragma once
#include "cuda/core/common/small_jacobi.cuh"

namespace prophet::cuda {

/// Weights of n stored Fock matrices from the scalar products of their errors, as diisCombination on the
/// host; one warp, whose lane k returns weight k. `products(i, j)`: of errors i and j. Where no weights are
/// finite all is the newest one.
template <int kSize, class Products>
__device__ double diisWeight(int n, int newest, const Products& products, SmallMatrix<kSize>& b,
                             SmallMatrix<kSize>& vectors) {
  constexpr double kRounding = 1e-15;
  const int lane = threadIdx.x;
  const auto scaleOf = [&](int i) { return 1.0 / sqrt(fmax(products(i, i), 1e-300)); };
  for (int e = lane; e < n * n; e += 32)
    b[e / n][e % n] = scaleOf(e / n) * products(e / n, e % n) * scaleOf(e % n);
  __syncwarp();
  jacobi(n, b, vectors);
  // Lane k: the part of eigenvector k, then weight k.
  double part = 0.0;
  if (lane < n) {
    for (int i = 0; i < n; ++i) part += vectors[i][lane] * scaleOf(i);
    part /= fmax(b[lane][lane], kRounding);
  }
  double weight = 0.0;
  for (int k = 0; k < n; ++k) {
    const double other = __shfl_sync(0xffffffffu, part, k);
    if (lane < n) weight += vectors[lane][k] * other;
  }
  if (lane < n) weight *= scaleOf(lane);
  double sum = weight;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  const bool finite = __all_sync(0xffffffffu, isfinite(weight / sum));
  if (lane >= n) return 0.0;
  return finite ? weight / sum : lane == newest;
}

}  // namespace prophet::cuda
