#include "core/linalg/dense_kernels.hpp"

#include "core/linalg/dense_kernels.inc"

namespace prophet {

const DenseKernels kBaselineKernels = PROPHET_DENSE_KERNELS("baseline");

#if defined(__x86_64__)
bool supportsV3() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}
bool supportsV4() {
  return supportsV3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512cd");
}

const DenseKernels& denseKernels() {
  static const DenseKernels& best = supportsV4() ? kKernelsV4 : supportsV3() ? kKernelsV3 : kBaselineKernels;
  return best;
}
#else
bool supportsV3() { return false; }
bool supportsV4() { return false; }
const DenseKernels& denseKernels() { return kBaselineKernels; }
#endif

}  // namespace prophet
