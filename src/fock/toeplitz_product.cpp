#include "fock/toeplitz_product.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define PROPHET_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PROPHET_CLONES
#endif

namespace prophet {

PROPHET_CLONES
void addKernelTimesDensity(const double* __restrict kernel, double factor, const double* __restrict density,
                           int count, double* __restrict sum) {
  for (int j = 0; j < count; ++j) sum[j] += factor * kernel[j] * density[j];
}

PROPHET_CLONES
void addTwoKernelsTimesDensities(const double* __restrict kernel1, const double* __restrict density1,
                                 const double* __restrict kernel2, const double* __restrict density2,
                                 double factor, int count, double* __restrict sum) {
  for (int j = 0; j < count; ++j) sum[j] += factor * (kernel1[j] * density1[j] + kernel2[j] * density2[j]);
}

PROPHET_CLONES
void toeplitzVector(const double* __restrict centre, const double* __restrict in, int count,
                    double* __restrict out) {
  for (int i = 0; i < count; ++i) out[i] = 0.0;
  for (int j = 0; j < count; ++j) {
    const double* __restrict kernel = centre - j;
    for (int i = 0; i < count; ++i) out[i] += kernel[i] * in[j];
  }
}

}  // namespace prophet
