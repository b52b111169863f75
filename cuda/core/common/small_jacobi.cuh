#pragma once

namespace prophet::cuda {

/// A small matrix in shared memory.
template <int kSize>
using SmallMatrix = double[kSize][kSize];

/// Eigenvalues (diagonal of b) and vectors of the symmetric n x n matrix in b, n <= kSize <= 16, by cyclic
/// Jacobi rotations; one warp, in which a lane has one row of b and another one of the vectors.
template <int kSize>
__device__ void jacobi(int n, SmallMatrix<kSize>& b, SmallMatrix<kSize>& vectors) {
  const int lane = threadIdx.x, k = lane % kSize;
  for (int e = lane; e < kSize * kSize; e += 32) vectors[e / kSize][e % kSize] = e / kSize == e % kSize;
  __syncwarp();
  for (int sweep = 0; sweep < 30; ++sweep) {
    double off = 0.0;
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        off = fmax(off, fabs(b[p][q]));
        if (fabs(b[p][q]) < 1e-300) continue;
        const double theta = 0.5 * (b[q][q] - b[p][p]) / b[p][q];
        const double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
        const double c = rsqrt(t * t + 1.0), s = t * c;
        __syncwarp();
        if (k < n && lane < 2 * kSize) {
          SmallMatrix<kSize>& matrix = lane < kSize ? b : vectors;
          const double x = matrix[k][p], y = matrix[k][q];
          matrix[k][p] = c * x - s * y;
          matrix[k][q] = s * x + c * y;
        }
        __syncwarp();
        if (lane < n) {
          const double x = b[p][k], y = b[q][k];
          b[p][k] = c * x - s * y;
          b[q][k] = s * x + c * y;
        }
        __syncwarp();
      }
    }
    if (!(off > 1e-17)) return;
  }
}

}  // namespace prophet::cuda
