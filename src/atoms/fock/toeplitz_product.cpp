#include "atoms/fock/toeplitz_product.hpp"

#include <cstddef>

#include "core/common/processor_clones.hpp"

namespace prophet {

/// Eight doubles at any address; the compiler splits them where the processor has narrower registers. (Left
/// to itself, it vectorises over the terms.)
typedef double Eight __attribute__((vector_size(64), aligned(8), may_alias));

PROPHET_CLONES
void sumToeplitzTerms(const ToeplitzTerm* terms, int termCount, int shift, int stride, int count,
                      double* __restrict out) {
  const std::ptrdiff_t densityShift = static_cast<std::ptrdiff_t>(shift) * stride;
  int j = 0;
  for (; j + 32 <= count; j += 32) {
    Eight sum0 = {}, sum1 = {}, sum2 = {}, sum3 = {};
    for (int t = 0; t < termCount; ++t) {
      const Eight* kernel = reinterpret_cast<const Eight*>(terms[t].kernel + j - shift);
      const Eight* density = reinterpret_cast<const Eight*>(terms[t].density + j + densityShift);
      sum0 += terms[t].factor * kernel[0] * density[0];
      sum1 += terms[t].factor * kernel[1] * density[1];
      sum2 += terms[t].factor * kernel[2] * density[2];
      sum3 += terms[t].factor * kernel[3] * density[3];
    }
    Eight* target = reinterpret_cast<Eight*>(out + j);
    target[0] = sum0;
    target[1] = sum1;
    target[2] = sum2;
    target[3] = sum3;
  }
  for (; j + 8 <= count; j += 8) {
    Eight sum = {};
    for (int t = 0; t < termCount; ++t) {
      sum += terms[t].factor * *reinterpret_cast<const Eight*>(terms[t].kernel + j - shift) *
             *reinterpret_cast<const Eight*>(terms[t].density + j + densityShift);
    }
    *reinterpret_cast<Eight*>(out + j) = sum;
  }
  for (; j < count; ++j) {
    double sum = 0.0;
    for (int t = 0; t < termCount; ++t) {
      sum += terms[t].factor * terms[t].kernel[j - shift] * terms[t].density[j + densityShift];
    }
    out[j] = sum;
  }
}

PROPHET_CLONES
void addKernelTimesDensity(const double* __restrict kernel, double factor, const double* __restrict density,
                           int count, double* __restrict sum) {
  for (int j = 0; j < count; ++j) sum[j] += factor * kernel[j] * density[j];
}

PROPHET_CLONES
void addProducts(const double* __restrict x, const double* __restrict y, int count, double* __restrict sum) {
  for (int i = 0; i < count; ++i) sum[i] += x[i] * y[i];
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
