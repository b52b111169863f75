// Compiled with -march=x86-64-v4 (CMakeLists.txt).
#define Eigen Eigen_v4
#include "core/linalg/dense_kernels.inc"

namespace prophet {

const DenseKernels kKernelsV4 = PROPHET_DENSE_KERNELS("x86-64-v4");

}  // namespace prophet
