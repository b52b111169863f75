#include "atoms/fock/exchange_rows.inc"
#include "core/linalg/dense_kernels.hpp"

namespace prophet {

void exchangeRowsBaseline(const ExchangePairs& pairs, const ExchangeStretch& stretch) {
  allRows(pairs, stretch);
}

ExchangeRows exchangeRows() {
#if defined(__x86_64__)
  return supportsV4() ? exchangeRowsV4 : supportsV3() ? exchangeRowsV3 : exchangeRowsBaseline;
#else
  return exchangeRowsBaseline;
#endif
}

}  // namespace prophet
