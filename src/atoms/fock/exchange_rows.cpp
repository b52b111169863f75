// Compiled for each instruction set (PROPHET_LEVEL, CMakeLists.txt).
#include "atoms/fock/exchange_rows.hpp"

#include "core/linalg/dense_kernels.hpp"
#include "core/linalg/lanes.hpp"

namespace prophet {
namespace {

constexpr int kMostTargets = kLanes == 8 ? 7 : 4;

inline Lanes at(const double* values) { return *reinterpret_cast<const Lanes*>(values); }
inline void put(Lanes values, double* to) { *reinterpret_cast<Lanes*>(to) = values; }

/// LL, SS and LS of one register of rows for `targets` symmetries from number `target` on.
template <int targets, bool cross>
void allBlocks(const ExchangePairs& pairs, const ExchangeStretch& s, int target, int row) {
  const int shift = row - s.tileFirst - s.column, place = row + s.column * pairs.stride;
  Lanes ll[targets] = {}, ss[targets] = {}, ls[targets] = {};
  for (int b = 0; b < pairs.sources; ++b) {
    const PairBlocks& d = pairs.densities[b];
    const Lanes dll = at(d.ll + place), dss = at(d.ss + place), dls = at(d.ls + place);
    const KernelCentres* k = pairs.kernels + target * pairs.sources + b;
#pragma GCC unroll 8
    for (int a = 0; a < targets; ++a, k += pairs.sources) {
      const Lanes direct = at(k->direct + shift);
      ll[a] += direct * dll;
      ss[a] += direct * dss;
      ls[a] += direct * dls;
      if (!cross) continue;
      ll[a] += at(k->largeFromSmall + shift) * dss;
      ss[a] += at(k->smallFromLarge + shift) * dll;
      ls[a] += at(k->mixed + shift) * at(d.sl + place);
    }
  }
#pragma GCC unroll 8
  for (int a = 0; a < targets; ++a) {
    const PairBlocks& w = pairs.brackets[target + a];
    put(s.factor * ll[a], w.ll + place);
    put(s.factor * ss[a], w.ss + place);
    put(-ls[a], w.ls + place);
  }
}

template <int targets, bool cross>
void mixedBlock(const ExchangePairs& pairs, const ExchangeStretch& s, int target, int row) {
  const int shift = row - s.tileFirst - s.column, place = row + s.column * pairs.stride;
  Lanes ls[targets] = {};
  for (int b = 0; b < pairs.sources; ++b) {
    const PairBlocks& d = pairs.densities[b];
    const Lanes dls = at(d.ls + place);
    const KernelCentres* k = pairs.kernels + target * pairs.sources + b;
#pragma GCC unroll 8
    for (int a = 0; a < targets; ++a, k += pairs.sources) {
      ls[a] += at(k->direct + shift) * dls;
      if (cross) ls[a] += at(k->mixed + shift) * at(d.sl + place);
    }
  }
#pragma GCC unroll 8
  for (int a = 0; a < targets; ++a) put(-ls[a], pairs.brackets[target + a].ls + place);
}

template <int targets, bool cross>
void rows(const ExchangePairs& pairs, const ExchangeStretch& s, int target) {
  for (int row = s.first; row < s.end; row += kLanes) {
    if (s.lsOnly) {
      mixedBlock<targets, cross>(pairs, s, target, row);
    } else {
      allBlocks<targets, cross>(pairs, s, target, row);
    }
  }
}

/// All targets, kMostTargets at a time, and then what is left.
template <int targets, bool cross>
void groups(const ExchangePairs& pairs, const ExchangeStretch& s, int target) {
  for (; pairs.targets - target >= targets; target += targets) rows<targets, cross>(pairs, s, target);
  if constexpr (targets > 1) groups<targets - 1, cross>(pairs, s, target);
}

void allRows(const ExchangePairs& pairs, const ExchangeStretch& s) {
  const bool cross = pairs.targets > 0 && pairs.sources > 0 && pairs.kernels->mixed;
  if (cross) {
    groups<kMostTargets, true>(pairs, s, 0);
  } else {
    groups<kMostTargets, false>(pairs, s, 0);
  }
}

}  // namespace

#if PROPHET_LEVEL == 3
void exchangeRowsV3(const ExchangePairs& pairs, const ExchangeStretch& stretch) { allRows(pairs, stretch); }
#elif PROPHET_LEVEL == 4
void exchangeRowsV4(const ExchangePairs& pairs, const ExchangeStretch& stretch) { allRows(pairs, stretch); }
#else
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
#endif

}  // namespace prophet
