#include "core/common/text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstring>
#include <random>

namespace prophet {
namespace {

TEST(Number, WholeTextsOnly) {
  EXPECT_EQ(parseDouble("-1.5e-3"), -1.5e-3);
  EXPECT_EQ(parseDouble("7"), 7.0);
  EXPECT_TRUE(std::isnan(parseDouble("nan").value()));
  for (const char* text : {"", " 1", "1 ", "1,5", "0x10", "abc", "1e999", "--1", "+1", "1.5.2"})
    EXPECT_FALSE(parseDouble(text)) << text;
}

/// What fmt writes is read back to the last bit.
TEST(Number, Exact) {
  std::mt19937_64 random(20261121);
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t bits = random();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(parseDouble(fmt::format("{}", value)), value);
  }
}

TEST(Number, WhateverTheLocale) {
  const char* german = nullptr;
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8"})
    german = german ? german : std::setlocale(LC_ALL, name);
  if (!german) GTEST_SKIP() << "no locale with a decimal comma is installed";
  EXPECT_EQ(parseDouble("1.5"), 1.5);
  EXPECT_EQ(fmt::format("{}", 1.5), "1.5");
  EXPECT_EQ(fmt::format("{:.3f} {:.2e}", 1.5, 1.5), "1.500 1.50e+00");
  std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace prophet
