#include "atoms/fock/exchange_rows.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "core/linalg/dense_kernels.hpp"

namespace prophet {
namespace {

constexpr int kRows = 40, kColumns = 16, kTileFirst = 16, kStride = 48;

struct Blocks {
  std::vector<double> ll, ss, ls, sl;
  PairBlocks pointers() { return {ll.data(), ss.data(), ls.data(), sl.data()}; }
};

class ExchangeRowsTest : public ::testing::TestWithParam<int> {
 protected:
  std::vector<double> numbers(std::size_t count) {
    std::vector<double> list(count);
    for (double& x : list) x = uniform_(generator_);
    return list;
  }
  Blocks blocks() {
    const std::size_t size = kStride * kColumns;
    return {numbers(size), numbers(size), numbers(size), numbers(size)};
  }
  std::mt19937 generator_{7};
  std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
};

std::vector<ExchangeRows> everySet() {
  std::vector<ExchangeRows> sets = {exchangeRowsBaseline};
#if defined(__x86_64__)
  if (supportsV3()) sets.push_back(exchangeRowsV3);
  if (supportsV4()) sets.push_back(exchangeRowsV4);
#endif
  return sets;
}

/// Against the formula, element by element; what is outside the stretch must stay.
TEST_P(ExchangeRowsTest, EqualsTheFormula) {
  const int targets = GetParam();
  const int sources = 3, length = 2 * kRows + 1;
  for (const bool cross : {false, true}) {
    std::vector<std::vector<double>> storage;
    std::vector<KernelCentres> kernels;
    for (int i = 0; i < targets * sources; ++i) {
      const double* centres[4];
      for (const double*& centre : centres) {
        storage.push_back(numbers(length));
        centre = storage.back().data() + kRows;
      }
      if (!cross) centres[1] = centres[2] = centres[3] = nullptr;
      kernels.push_back({centres[0], centres[1], centres[2], centres[3]});
    }
    std::vector<Blocks> densities;
    std::vector<PairBlocks> from;
    for (int b = 0; b < sources; ++b) densities.push_back(blocks());
    for (Blocks& b : densities) from.push_back(b.pointers());
    for (const ExchangeRows rows : everySet()) {
      for (const bool lsOnly : {false, true}) {
        std::vector<Blocks> results;
        for (int a = 0; a < targets; ++a) results.push_back(blocks());
        const std::vector<Blocks> before = results;
        std::vector<PairBlocks> to;
        for (Blocks& b : results) to.push_back(b.pointers());
        const ExchangeStretch s{8, 32, 5, kTileFirst, lsOnly, -0.5};
        rows({targets, sources, to.data(), from.data(), kernels.data(), kStride}, s);
        for (int a = 0; a < targets; ++a) {
          for (int j = 0; j < kRows; ++j) {
            const int place = j + s.column * kStride, m = j - kTileFirst - s.column;
            double ll = 0, ss = 0, ls = 0;
            for (int b = 0; b < sources; ++b) {
              const KernelCentres& k = kernels[a * sources + b];
              const Blocks& d = densities[b];
              ll += k.direct[m] * d.ll[place] + (cross ? k.largeFromSmall[m] * d.ss[place] : 0.0);
              ss += k.direct[m] * d.ss[place] + (cross ? k.smallFromLarge[m] * d.ll[place] : 0.0);
              ls += k.direct[m] * d.ls[place] + (cross ? k.mixed[m] * d.sl[place] : 0.0);
            }
            const bool inside = j >= s.first && j < s.end, both = inside && !lsOnly;
            EXPECT_NEAR(results[a].ll[place], both ? -0.5 * ll : before[a].ll[place], 1e-14);
            EXPECT_NEAR(results[a].ss[place], both ? -0.5 * ss : before[a].ss[place], 1e-14);
            EXPECT_NEAR(results[a].ls[place], inside ? -ls : before[a].ls[place], 1e-14);
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, ExchangeRowsTest, ::testing::Values(1, 2, 4, 5, 7, 9));

}  // namespace
}  // namespace prophet
