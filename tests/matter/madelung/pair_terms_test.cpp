#include "matter/madelung/pair_terms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace prophet {
namespace {

/// One charge at a distance along (0.6, 0, 0.8), the rest of a block without charge.
template <class Real>
PairTerms oneCharge(double distance, double beta) {
  const std::vector<Real> x(kPairBlock, static_cast<Real>(0.6 * distance)), y(kPairBlock, 0),
      z(kPairBlock, static_cast<Real>(0.8 * distance));
  std::vector<Real> charge(kPairBlock, 0);
  charge[3] = -2;
  std::vector<int> list(kPairBlock);
  for (int i = 0; i < kPairBlock; ++i) list[static_cast<std::size_t>(i)] = i;
  const Real at[3] = {0, 0, 0};
  return pairTerms(Surroundings<Real>{x.data(), y.data(), z.data(), charge.data()}, list.data(), kPairBlock,
                   at, static_cast<Real>(beta));
}

/// Against the standard library's erfc and exp; errors relative to 1/r and 1/r^2, of which a term is a part.
template <class Real>
void expectTerms(double tolerance) {
  for (double reach = 0.02; reach < 6.5; reach += 0.0173) {
    for (const double beta : {0.1, 0.25, 1.0}) {
      const double r = reach / beta, potential = -2 * std::erfc(reach) / r;
      const double force =
          (potential - 4 * beta / std::sqrt(std::numbers::pi) * std::exp(-reach * reach)) / r;
      const PairTerms t = oneCharge<Real>(r, beta);
      ASSERT_NEAR(t.potential, potential, tolerance * 2 / r) << reach;
      ASSERT_NEAR(t.field[0], -0.6 * force, tolerance * 2 / (r * r)) << reach;
      ASSERT_NEAR(t.field[2], -0.8 * force, tolerance * 2 / (r * r)) << reach;
      ASSERT_NEAR(t.stretch[2], 0.64 * r * force, tolerance * 2 / r) << reach;
      ASSERT_NEAR(t.stretch[4], 0.48 * r * force, tolerance * 2 / r) << reach;
    }
  }
}

TEST(PairTerms, AreThoseOfTheStandardLibrary) { expectTerms<double>(2e-15); }
TEST(PairTerms, AreGoodToSevenDigitsInSinglePrecision) { expectTerms<float>(7e-7); }

TEST(PairTerms, EndWhereTheComplementaryErrorFunctionDoes) {
  EXPECT_LT(std::abs(oneCharge<double>(40, 1).potential), 1e-19);
  EXPECT_LT(std::abs(oneCharge<float>(40, 1).potential), 1e-19);
}

TEST(PairTerms, NeighboursAreThoseWithinTheCutoff) {
  std::vector<double> x(600), zero(600, 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>((7 * i) % 600);
  std::vector<int> list(600);
  const double at[3] = {100, 3, 0};
  const Surroundings<double> all{x.data(), zero.data(), zero.data(), zero.data()};
  const int found = neighboursWithin(all, 600, at, 25.0, list.data());
  ASSERT_EQ(found, 9);  // 96 ... 104: 5^2 = 4^2 + 3^2
  for (int k = 0; k < found; ++k) {
    EXPECT_LE(std::abs(x[static_cast<std::size_t>(list[static_cast<std::size_t>(k)])] - 100), 4);
    if (k > 0) {
      EXPECT_LT(list[static_cast<std::size_t>(k) - 1], list[static_cast<std::size_t>(k)]);
    }
  }
}

}  // namespace
}  // namespace prophet
