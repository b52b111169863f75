#include "atoms/integrals/pair_index.hpp"

#include <gtest/gtest.h>

namespace prophet {
namespace {

TEST(PairIndex, CountsOfTheThesis) {
  // Hennessey (2018), eqs. 3.1-3.5: seven symmetries of 10 and of 45 functions.
  EXPECT_EQ(PairIndex(std::vector<int>(7, 10)).elements(), 74305);
  EXPECT_EQ(PairIndex(std::vector<int>(7, 45)).elements(), 26248635);
}

/// Every element of the largest case of Hennessey (2018): index -> (L,P,Q,M,R,S) -> index is the identity.
TEST(PairIndex, RoundTripOfEveryElementOfTheLargestCase) {
  const PairIndex owner(std::vector<int>(7, 45));
  const PairNumbering n = owner.view();
  std::int64_t wrong = 0;
  for (std::int64_t t = 0; t < owner.elements(); ++t) {
    const std::int64_t row = n.row(t), column = t - triangle(row);
    const FunctionPair a = n.functions(row), b = n.functions(column);
    const bool ordered = a.p >= a.q && b.p >= b.q && a.q >= 0 && b.q >= 0 && a.p < 45 && b.p < 45;
    if (!ordered || triangle(n.pair(a)) + n.pair(b) != t) ++wrong;
  }
  EXPECT_EQ(wrong, 0);
}

TEST(PairIndex, RoundTripWithUnequalAndEmptySymmetries) {
  const PairIndex owner({5, 0, 3, 1, 0, 2});
  const PairNumbering n = owner.view();
  EXPECT_EQ(owner.pairs(), 15 + 6 + 1 + 3);
  for (std::int64_t i = 0; i < owner.pairs(); ++i) {
    const FunctionPair f = n.functions(i);
    EXPECT_EQ(n.pair(f), i);
    EXPECT_NE(f.symmetry, 1);
    EXPECT_NE(f.symmetry, 4);
  }
}

}  // namespace
}  // namespace prophet
