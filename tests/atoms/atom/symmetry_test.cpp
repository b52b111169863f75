#include "atoms/atom/symmetry.hpp"

#include <gtest/gtest.h>

#include "core/common/error.hpp"

namespace prophet {
namespace {

struct Row {
  const char* label;
  int kappa, l, lSmall, twoJ;
};

// The usual order; g- and g+ follow the same rule.
constexpr Row kRows[] = {{"s+", -1, 0, 1, 1}, {"p-", 1, 1, 0, 1},  {"p+", -2, 1, 2, 3},
                         {"d-", 2, 2, 1, 3},  {"d+", -3, 2, 3, 5}, {"f-", 3, 3, 2, 5},
                         {"f+", -4, 3, 4, 7}, {"g-", 4, 4, 3, 7},  {"g+", -5, 4, 5, 9}};

TEST(Symmetry, HasQuantumNumbersOfItsPlace) {
  for (int i = 0; i < 9; ++i) {
    const Symmetry s = Symmetry::fromIndex(i);
    EXPECT_EQ(s.label(), kRows[i].label);
    EXPECT_EQ(s.kappa, kRows[i].kappa);
    EXPECT_EQ(s.l(), kRows[i].l);
    EXPECT_EQ(s.lSmall(), kRows[i].lSmall);
    EXPECT_EQ(s.twoJ(), kRows[i].twoJ);
    EXPECT_EQ(s.degeneracy(), kRows[i].twoJ + 1);
    EXPECT_EQ(s.index(), i);
  }
}

TEST(Symmetry, ListsTheFirstOnes) {
  const auto list = firstSymmetries(7);
  ASSERT_EQ(list.size(), 7u);
  EXPECT_EQ(list.back().kappa, -4);
  EXPECT_TRUE(firstSymmetries(0).empty());
}

TEST(Symmetry, LettersSkipJ) {
  EXPECT_EQ(letterOfL(0), 's');
  EXPECT_EQ(letterOfL(6), 'i');
  EXPECT_EQ(letterOfL(7), 'k');
  for (int l = 0; l <= 15; ++l) EXPECT_EQ(lOfLetter(letterOfL(l)), l);
  EXPECT_EQ(lOfLetter('j'), -1);
  EXPECT_EQ(lOfLetter('x'), -1);
  EXPECT_THROW(letterOfL(-1), Error);
}

TEST(Symmetry, NamesSpinors) {
  EXPECT_EQ(spinorLabel(Symmetry{-1}, 1), "1s1/2");
  EXPECT_EQ(spinorLabel(Symmetry{1}, 1), "2p1/2");
  EXPECT_EQ(spinorLabel(Symmetry{-3}, 2), "4d5/2");
}

}  // namespace
}  // namespace prophet
