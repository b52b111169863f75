#pragma once

/// FP64 products of matrix fragments by one warp: c (16 x 8) += a (16 x 8) b (8 x 8). With g = lane / 4 and
/// t = lane % 4 a lane holds
///   a[0..3] = A(g, t), A(g + 8, t), A(g, t + 4), A(g + 8, t + 4);  b[0..1] = B(t, g), B(t + 4, g);
///   c[0..3] = C(g, 2t), C(g, 2t + 1), C(g + 8, 2t), C(g + 8, 2t + 1)
/// (PTX ISA, mma.m16n8k8 for .f64; before sm_90 four mma.m8n8k4, whose fragments are the parts of these;
/// before sm_80, which has neither, shuffles).
namespace prophet::cuda::batch {

/// The smaller product: c (8 x 8) += a (8 x 4) b (4 x 8), a = A(g, t), b = B(t, g), c = C(g, 2t), C(g, 2t +
/// 1) (mma.m8n8k4).
__device__ inline void multiplyAddSmall(double& c0, double& c1, double a, double b) {
#if __CUDA_ARCH__ >= 800
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(c0), "+d"(c1)
               : "d"(a), "d"(b));
#else
  const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const double left = __shfl_sync(0xffffffffu, a, g * 4 + k);
    c0 += left * __shfl_sync(0xffffffffu, b, 2 * t * 4 + k);
    c1 += left * __shfl_sync(0xffffffffu, b, (2 * t + 1) * 4 + k);
  }
#endif
}

__device__ inline void multiplyAdd(double (&c)[4], const double (&a)[4], const double (&b)[2]) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#else
  multiplyAddSmall(c[0], c[1], a[0], b[0]);
  multiplyAddSmall(c[2], c[3], a[1], b[0]);
  multiplyAddSmall(c[0], c[1], a[2], b[1]);
  multiplyAddSmall(c[2], c[3], a[3], b[1]);
#endif
}

}  // namespace prophet::cuda::batch
