// Compiled with -march=x86-64-v3 (CMakeLists.txt).
#include "atoms/fock/exchange_rows.inc"

namespace prophet {

void exchangeRowsV3(const ExchangePairs& pairs, const ExchangeStretch& stretch) { allRows(pairs, stretch); }

}  // namespace prophet
