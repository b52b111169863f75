// Compiled with -march=x86-64-v3 (CMakeLists.txt).
#include "atoms/fock/super_matrix_rows.inc"

namespace prophet {

template <>
SuperMatrixRows<5> superMatrixRowsV3<5>() {
  return fillRow<5>;
}
template <>
SuperMatrixRows<9> superMatrixRowsV3<9>() {
  return fillRow<9>;
}

}  // namespace prophet
