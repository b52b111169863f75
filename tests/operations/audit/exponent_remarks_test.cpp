#include "operations/audit/exponent_remarks.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace prophet {
namespace {

ExponentList ladder(int n, double ratio) {
  ExponentList list{"f", 3, {5, 6}, {}, true};
  for (int i = n - 1; i >= 0; --i) list.exponents.push_back(0.1 * std::pow(ratio, i));
  return list;
}

TEST(ExponentRemarks, AnEvenLadderHasNothingOdd) {
  EXPECT_TRUE(gapRemarks({ladder(12, 2.2)}).empty());
  ExponentList widening = ladder(12, 2.0);
  for (std::size_t i = 0; i < 12; ++i) widening.exponents[11 - i] = 0.1 * std::pow(2.0, i + 0.03 * i * i);
  EXPECT_TRUE(gapRemarks({widening}).empty());
}

TEST(ExponentRemarks, AMissingExponentIsAnOddGap) {
  ExponentList list = ladder(12, 2.2);
  list.exponents.erase(list.exponents.begin() + 5);
  const auto remarks = gapRemarks({list});
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0].kind, "odd_gap");
  EXPECT_EQ(remarks[0].list, "f");
  EXPECT_NE(remarks[0].text.find("exponents 5 and 6 of 11"), std::string::npos) << remarks[0].text;
  EXPECT_NE(remarks[0].text.find("4.84"), std::string::npos) << remarks[0].text;
}

TEST(ExponentRemarks, ACloseExtraExponentIsANearDuplicate) {
  ExponentList list = ladder(12, 2.2);
  list.exponents.insert(list.exponents.begin() + 4, list.exponents[4] * 1.05);
  const auto remarks = gapRemarks({list});
  ASSERT_FALSE(remarks.empty());
  EXPECT_EQ(remarks[0].kind, "near_duplicate");
}

TEST(ExponentRemarks, ListsWithoutElectronsHaveNoOddGapsButNearDuplicates) {
  ExponentList list = ladder(12, 2.2);
  list.occupied = false;
  list.exponents.erase(list.exponents.begin() + 5);
  EXPECT_TRUE(gapRemarks({list}).empty());
  list.exponents.push_back(list.exponents.back() / 1.01);
  EXPECT_EQ(gapRemarks({list}).size(), 1u);
}

TEST(ExponentRemarks, ShellsOutOfOrderAndContractionsAreNamed) {
  ElementBasis basis;
  basis.contracted.push_back({0, {30.0, 10.0, 3.0}, {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}});
  EXPECT_TRUE(shellRemarks(basis).empty());
  basis.contracted.push_back({1, {30.0, 100.0, 3.0}, {{0.3, 0.4, 0.5}}});
  const auto remarks = shellRemarks(basis);
  ASSERT_EQ(remarks.size(), 2u);
  EXPECT_EQ(remarks[0].kind, "order");
  EXPECT_EQ(remarks[0].list, "p");
  EXPECT_EQ(remarks[1].kind, "contracted");
}

TEST(ExponentLists, SharedAndSeparateLists) {
  const Configuration neon = parseConfiguration("1s2 2s2 2p6");
  BasisSet basis;
  basis.symmetries = {{Symmetry::fromIndex(0), {1, 3, 9}},
                      {Symmetry::fromIndex(1), {1, 2}},
                      {Symmetry::fromIndex(2), {2, 1}},
                      {Symmetry::fromIndex(3), {1}},
                      {Symmetry::fromIndex(4), {1.5}}};
  const auto lists = exponentLists(basis, neon);
  ASSERT_EQ(lists.size(), 4u);
  EXPECT_EQ(lists[1].label, "p");
  EXPECT_EQ(lists[1].exponents, (std::vector<double>{2, 1}));
  EXPECT_TRUE(lists[1].occupied);
  EXPECT_EQ(lists[2].label, "d-");
  EXPECT_FALSE(lists[2].occupied);
  EXPECT_EQ(occupiedSizes(lists), "3s 2p");
}

/// Two normalised functions have overlap S and eigenvalues 1 -+ S.
TEST(ExponentLists, SmallestOverlapOfTwoFunctions) {
  const double a = 1.0, b = 1.3;
  const ExponentList s{"s", 0, {0}, {b, a}, true}, one{"p", 1, {1, 2}, {7.0}, true};
  const SmallestOverlap least = smallestOverlapOf({s, one});
  EXPECT_NEAR(least.eigenvalue, 1 - std::pow(2 * std::sqrt(a * b) / (a + b), 1.5), 1e-14);
  EXPECT_EQ(least.list, "s");
}

}  // namespace
}  // namespace prophet
