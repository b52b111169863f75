#include "atoms/fock/super_matrix_rows.inc"
#include "core/linalg/dense_kernels.hpp"

namespace prophet {

template <int kDegree>
SuperMatrixRows<kDegree> superMatrixRowsBaseline() {
  return fillRow<kDegree>;
}

template <int kDegree>
SuperMatrixRows<kDegree> superMatrixRows() {
#if defined(__x86_64__)
  return supportsV4()   ? superMatrixRowsV4<kDegree>()
         : supportsV3() ? superMatrixRowsV3<kDegree>()
                        : superMatrixRowsBaseline<kDegree>();
#else
  return superMatrixRowsBaseline<kDegree>();
#endif
}
template SuperMatrixRows<5> superMatrixRowsBaseline<5>();
template SuperMatrixRows<9> superMatrixRowsBaseline<9>();
template SuperMatrixRows<5> superMatrixRows<5>();
template SuperMatrixRows<9> superMatrixRows<9>();

}  // namespace prophet
