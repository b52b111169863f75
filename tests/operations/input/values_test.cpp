#include "operations/request/setting.hpp"

#include <gtest/gtest.h>

namespace prophet {
namespace {

TEST(Values, RealsOfEveryForm) {
  EXPECT_EQ(parseReal("86"), 86.0);
  EXPECT_EQ(parseReal("-1.5"), -1.5);
  EXPECT_EQ(parseReal("+.5"), 0.5);
  EXPECT_EQ(parseReal("3."), 3.0);
  EXPECT_EQ(parseReal("1.0d-5"), 1e-5);
  EXPECT_EQ(parseReal("1D+5"), 1e5);
  EXPECT_EQ(parseReal("6.87e-2"), 6.87e-2);
  EXPECT_EQ(parseReal("2E3"), 2000.0);
  EXPECT_EQ(parseReal("2q3"), 2000.0);
  EXPECT_EQ(parseReal("1.5+3"), 1500.0);
  EXPECT_EQ(parseReal("1.5-3"), 1.5e-3);
  EXPECT_EQ(parseReal("0.1"), 0.1);
}

TEST(Values, NoReals) {
  for (const char* text : {"", "+", ".", "e5", "1e", "1e+", "1.2.3", "1,5", "1d5d", "nan", "inf", "0x10",
                           "1 2", "1e999", "1e-999", "--1", "1f5"}) {
    EXPECT_FALSE(parseReal(text)) << text;
  }
}

TEST(Values, Integers) {
  EXPECT_EQ(parseInteger("7"), 7);
  EXPECT_EQ(parseInteger("+7"), 7);
  EXPECT_EQ(parseInteger("-12"), -12);
  EXPECT_EQ(parseInteger("999999999"), 999999999);
  for (const char* text : {"", "-", "3.0", "1e3", "9999999999", "7x", " 7"})
    EXPECT_FALSE(parseInteger(text)) << text;
}

TEST(Values, Logicals) {
  for (const char* text : {".true.", ".TRUE.", "true", ".t.", "t", "T", ".T"})
    EXPECT_EQ(parseLogical(text), true) << text;
  for (const char* text : {".false.", "False", ".f.", "f", "F"}) EXPECT_EQ(parseLogical(text), false) << text;
  for (const char* text : {"", ".", "yes", "1", "0", "tru", "..t.."})
    EXPECT_FALSE(parseLogical(text)) << text;
}

}  // namespace
}  // namespace prophet
