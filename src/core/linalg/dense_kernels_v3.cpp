// Compiled with -march=x86-64-v3 (CMakeLists.txt).
#define Eigen Eigen_v3
#include "core/linalg/dense_kernels.inc"

namespace prophet {

const DenseKernels kKernelsV3 = PROPHET_DENSE_KERNELS("x86-64-v3");

}  // namespace prophet
