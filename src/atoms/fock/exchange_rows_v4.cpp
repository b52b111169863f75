// Compiled with -march=x86-64-v4 (CMakeLists.txt).
#include "atoms/fock/exchange_rows.inc"

namespace prophet {

void exchangeRowsV4(const ExchangePairs& pairs, const ExchangeStretch& stretch) { allRows(pairs, stretch); }

}  // namespace prophet
