#include "atoms/atom/elements.hpp"

#include <gtest/gtest.h>

#include "core/common/error.hpp"
#include "csv.hpp"

namespace prophet {
namespace {

TEST(Elements, MassNumbersAndSymbolsAreThoseOfTheReference) {
  const auto rows = test::readCsv("atoms/atom/mass_numbers.csv");
  ASSERT_EQ(rows.size(), 118u);
  for (const auto& row : rows) {
    const int z = std::stoi(row.at("Z"));
    EXPECT_EQ(symbolOf(z), row.at("symbol"));
    EXPECT_EQ(massNumberOf(z), std::stoi(row.at("mass_number"))) << z;
    EXPECT_EQ(elementOf(row.at("symbol")), z);
  }
}

TEST(Elements, SymbolsInAnyCase) {
  EXPECT_EQ(elementOf("xE"), 54);
  EXPECT_EQ(elementOf("og"), 118);
  EXPECT_FALSE(elementOf("Xx"));
  EXPECT_FALSE(elementOf(""));
}

TEST(Elements, RefusesOtherCharges) {
  for (const int z : {-1, 0, 119}) {
    EXPECT_THROW(symbolOf(z), Error);
    EXPECT_THROW(massNumberOf(z), Error);
  }
}

TEST(Elements, ParsesElements) {
  EXPECT_EQ(parseElements("1-3, 18,Rn,be"), (std::vector<int>{1, 2, 3, 4, 18, 86}));
  EXPECT_EQ(parseElements("He-B"), (std::vector<int>{2, 3, 4, 5}));
  for (const char* bad : {"", "0", "119", "3-1", "1,,2", "Xx", "1-", "1-2-3", "1-3,2", "Ne,10"})
    EXPECT_THROW(parseElements(bad), Error) << bad;
}

}  // namespace
}  // namespace prophet
