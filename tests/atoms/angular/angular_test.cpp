#include "atoms/angular/angular.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace prophet {
namespace {

TEST(Wigner3j, KnownValues) {
  EXPECT_NEAR(wigner3j(2, 2, 0, 0, 0, 0), -1 / std::sqrt(3.0), 1e-15);
  EXPECT_NEAR(wigner3j(4, 4, 4, 0, 0, 0), -std::sqrt(2.0 / 35.0), 1e-15);
  EXPECT_NEAR(wigner3j(1, 2, 1, 1, 0, -1), 1 / std::sqrt(6.0), 1e-15);
  EXPECT_NEAR(wigner3j(1, 1, 2, 1, 1, -2), -1 / std::sqrt(3.0), 1e-15);
}

TEST(Wigner3j, ForbiddenCombinationsVanish) {
  EXPECT_EQ(wigner3j(2, 2, 6, 0, 0, 0), 0.0);
  EXPECT_EQ(wigner3j(2, 2, 2, 2, 2, 0), 0.0);
  EXPECT_EQ(wigner3j(2, 2, 1, 0, 0, 0), 0.0);
}

TEST(Wigner3j, OrthogonalityForHighAngularMomenta) {
  const int j1 = 25, j2 = 21;
  for (int j3 = std::abs(j1 - j2); j3 <= j1 + j2; j3 += 2) {
    double sum = 0;
    for (int m1 = -j1; m1 <= j1; m1 += 2) {
      const int m2 = -m1;  // m3 = 0
      if (std::abs(m2) > j2) continue;
      sum += (j3 + 1) * std::pow(wigner3j(j1, j2, j3, m1, m2, 0), 2);
    }
    EXPECT_NEAR(sum, 1.0, 1e-13) << "j3 = " << j3 / 2.0;
  }
}

TEST(Wigner6j, KnownValues) {
  EXPECT_NEAR(wigner6j(1, 1, 2, 1, 1, 2), 1 / 6.0, 1e-15);
  EXPECT_NEAR(wigner6j(1, 1, 2, 1, 1, 0), 0.5, 1e-15);
  EXPECT_NEAR(wigner6j(2, 2, 2, 2, 2, 2), 1 / 6.0, 1e-15);
  EXPECT_NEAR(wigner6j(4, 4, 4, 4, 4, 4), -3 / 70.0, 1e-15);
  EXPECT_EQ(wigner6j(2, 2, 6, 2, 2, 2), 0.0);
  EXPECT_EQ(wigner6j(1, 2, 2, 2, 2, 2), 0.0);
}

/// sum_j3 [j3] {j1 j2 j3; j4 j5 j} {j1 j2 j3; j4 j5 j'} = delta/[j].
TEST(Wigner6j, OrthogonalityForHighAngularMomenta) {
  const int j1 = 21, j2 = 16, j4 = 17, j5 = 18;
  for (const int j : {3, 9, 15})
    for (const int other : {3, 9, 15}) {
      double sum = 0;
      for (int j3 = 1; j3 <= j1 + j2; j3 += 2)
        sum += (j3 + 1) * wigner6j(j1, j2, j3, j4, j5, j) * wigner6j(j1, j2, j3, j4, j5, other);
      EXPECT_NEAR(sum, j == other ? 1.0 / (j + 1) : 0, 1e-14) << j << ' ' << other;
    }
}

TEST(ExchangeTerms, MatchesTextbookValues) {
  const Symmetry s{-1}, pMinus{1}, pPlus{-2};
  ASSERT_EQ(exchangeTerms(s, s).size(), 1u);
  EXPECT_EQ(exchangeTerms(s, s)[0].k, 0);
  EXPECT_NEAR(exchangeTerms(s, s)[0].coefficient, 0.5, 1e-15);
  EXPECT_EQ(exchangeTerms(s, pMinus)[0].k, 1);
  EXPECT_NEAR(exchangeTerms(s, pMinus)[0].coefficient, 1.0 / 6.0, 1e-15);
  ASSERT_EQ(exchangeTerms(pPlus, pPlus).size(), 2u);
  EXPECT_NEAR(exchangeTerms(pPlus, pPlus)[0].coefficient, 0.25, 1e-15);
  EXPECT_NEAR(exchangeTerms(pPlus, pPlus)[1].coefficient, 0.05, 1e-15);
}

/// The self-interaction of a closed subshell must leave g(g-1)/2 pairs: sum rules over all multipoles of a
/// pair of closed shells, sum_k (2k+1) Lambda_k over even AND odd k is 1; with the parity rule both parities
/// give 1/2.
TEST(ExchangeTerms, SumRule) {
  for (int a = 0; a < 15; ++a) {
    for (int b = 0; b < 15; ++b) {
      double sum = 0;
      for (const ExchangeTerm& t : exchangeTerms(Symmetry::fromIndex(a), Symmetry::fromIndex(b))) {
        sum += (2 * t.k + 1) * t.coefficient;
      }
      EXPECT_NEAR(sum, 0.5, 1e-13) << a << ' ' << b;
    }
  }
}

/// (j j 0; m -m 0) = (-1)^(j-m) / sqrt(2j+1), also for j whose factorials are far beyond those of atoms.
TEST(Wigner3j, LargeAngularMomenta) {
  for (const int j : {1, 30, 70, 200}) {
    for (const int m : {0, 1, j}) {
      const double expected = ((j - m) % 2 == 0 ? 1.0 : -1.0) / std::sqrt(2.0 * j + 1.0);
      EXPECT_NEAR(wigner3j(2 * j, 2 * j, 0, 2 * m, -2 * m, 0), expected, 1e-15) << j << " " << m;
    }
  }
}

}  // namespace
}  // namespace prophet
