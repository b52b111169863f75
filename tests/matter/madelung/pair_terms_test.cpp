#include "matter/madelung/pair_terms.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace prophet {
namespace {

/// One charge at a distance along (0.6, 0, 0.8), the rest of a block without charge.
template <class Real>
PairTerms oneCharge(double distance, double beta) {
  std::vector<Real> x(kPairBlock, static_cast<Real>(0.6 * distance)), y(kPairBlock, 0),
      z(kPairBlock, static_cast<Real>(0.8 * distance)), charge(kPairBlock, 0);
  charge[3] = -2;
  return pairTerms(Neighbours<Real>{x.data(), y.data(), z.data(), charge.data()}, kPairBlock,
                   static_cast<Real>(beta));
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

template <class Real>
using Rows = std::array<std::vector<Real>, 4>;

template <class Real>
Neighbours<Real> roomFor(Rows<Real>& rows, std::size_t count) {
  for (auto& row : rows) row.assign(count + kPairBlock, -1);
  return {rows[0].data(), rows[1].data(), rows[2].data(), rows[3].data()};
}

TEST(PairTerms, NeighboursAreThoseWithinTheCutoff) {
  std::vector<double> x(600), y(600, 0.0), charge(600);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<double>((7 * i) % 600);
    charge[i] = static_cast<double>(i);
  }
  y[300] = 3;  // at x = 300
  Rows<double> rows;
  const Neighbours<double> near = roomFor(rows, 600);
  const int found =
      neighboursOf(Surroundings<double>{x.data(), y.data(), y.data(), charge.data()}, 600, 300, 34.0, near);
  ASSERT_EQ(found, kPairBlock);
  int charged = 0;
  double last = -1;
  for (int k = 0; k < found; ++k) {
    if (near.charge[k] == 0) continue;
    ++charged;
    EXPECT_LE(std::abs(near.x[k]), 4);  // 4^2 + 3^2 + 3^2 = 34
    EXPECT_NE(near.x[k], 0) << "the site itself";
    EXPECT_GT(near.charge[k], last);
    last = near.charge[k];
  }
  EXPECT_EQ(charged, 8);
}

template <class Real>
void expectSameNeighbours() {
  std::mt19937 random(1);
  std::uniform_real_distribution<Real> uniform(-1, 1);
  for (const int count : {1, 7, 16, 17, 33, 300, 700}) {
    Rows<Real> all;
    for (auto& row : all)
      for (int i = 0; i < count; ++i) row.push_back(uniform(random));
    const Surroundings<Real> where{all[0].data(), all[1].data(), all[2].data(), all[3].data()};
    for (const int own : {0, count / 2, count - 1}) {
      Rows<Real> fast, simple;
      const auto size = static_cast<std::size_t>(count);
      const int found = neighboursOf(where, count, own, Real(0.8), roomFor(fast, size));
      ASSERT_EQ(found, neighboursOneByOne(where, count, own, Real(0.8), roomFor(simple, size)));
      for (std::size_t row = 0; row < 4; ++row) {
        fast[row].resize(static_cast<std::size_t>(found));
        simple[row].resize(static_cast<std::size_t>(found));
        EXPECT_EQ(fast[row], simple[row]) << count;
      }
    }
  }
}

TEST(PairTerms, NeighboursAreTheSameByEveryInstruction) {
  expectSameNeighbours<double>();
  expectSameNeighbours<float>();
}

}  // namespace
}  // namespace prophet
