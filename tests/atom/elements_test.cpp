#include "atom/elements.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "csv.hpp"

namespace prophet {
namespace {

TEST(Elements, MassNumbersAndSymbolsAreThoseOfTheReference) {
  const auto rows = test::readCsv("atom/mass_numbers.csv");
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

}  // namespace
}  // namespace prophet
