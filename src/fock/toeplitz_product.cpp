#include "fock/toeplitz_product.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define PROPHET_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PROPHET_CLONES
#endif

namespace prophet {

PROPHET_CLONES
void sumKernelTerms(const KernelTerm* terms, int termCount, int count, double* __restrict out) {
  constexpr int kStretch = 32;
  int first = 0;
  for (; first + kStretch <= count; first += kStretch) {
    double sum[kStretch] = {};
    for (int t = 0; t < termCount; ++t) {
      const double* __restrict kernel = terms[t].kernel + first;
      const double* __restrict density = terms[t].density + first;
      const double factor = terms[t].factor;
      for (int j = 0; j < kStretch; ++j) sum[j] += factor * kernel[j] * density[j];
    }
    for (int j = 0; j < kStretch; ++j) out[first + j] = sum[j];
  }
  for (int j = first; j < count; ++j) out[j] = 0.0;
  for (int t = 0; t < termCount; ++t) {
    for (int j = first; j < count; ++j) out[j] += terms[t].factor * terms[t].kernel[j] * terms[t].density[j];
  }
}

PROPHET_CLONES
void addKernelTimesDensity(const double* __restrict kernel, double factor, const double* __restrict density,
                           int count, double* __restrict sum) {
  for (int j = 0; j < count; ++j) sum[j] += factor * kernel[j] * density[j];
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
