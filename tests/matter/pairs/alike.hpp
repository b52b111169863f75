#pragma once
#include <gtest/gtest.h>

#include "matter/pairs/pair_histogram.hpp"

namespace prophet::test {

/// Distances that lie on the edge of a bin may be sorted into either neighbour: cumulative numbers of pairs
/// differ by those only, and the sums of all distances hardly at all.
inline void expectAlike(const PairHistogram& a, const PairHistogram& b) {
  ASSERT_EQ(a.counts.size(), b.counts.size());
  const double error = a.errorAt(a.width * a.bins) + b.errorAt(b.width * b.bins);
  for (int p = 0; p < pairKinds(a.kinds); ++p) {
    double pairsA = 0, pairsB = 0, sumA = 0, sumB = 0;
    for (int k = 0; k + 1 < a.bins; ++k) {
      pairsA += static_cast<double>(a.counts[a.at(p, k)]);
      pairsB += static_cast<double>(b.counts[b.at(p, k)]);
      sumA += static_cast<double>(a.counts[a.at(p, k)]) * k + a.offsets[a.at(p, k)];
      sumB += static_cast<double>(b.counts[b.at(p, k)]) * k + b.offsets[b.at(p, k)];
      // Random distances: few lie within the error of an edge.
      ASSERT_NEAR(pairsA, pairsB, 3) << p << " " << k;
      ASSERT_NEAR(sumA * a.width, sumB * a.width, pairsA * error + 3 * (k + 1) * a.width) << p << " " << k;
    }
  }
}

}  // namespace prophet::test
