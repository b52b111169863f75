#include "bases/optimise/state_lines.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/common/error.hpp"
#include "tests/core/common/decimal_comma.hpp"

namespace prophet {
namespace {

using test::DecimalComma;

TEST(StateLines, ReadBackToTheSameBitsInEveryLocale) {
  const DecimalComma comma;
  const EvaluationLine e{-2.8618133122, {1.5, -1e-300, 12345.678901234567}};
  EXPECT_EQ(textOf(e), "-2.8618133122 1.5 -1e-300 12345.678901234567");
  EXPECT_EQ(evaluationLineOf(textOf(e)).energy, e.energy);
  EXPECT_EQ(evaluationLineOf(textOf(e)).x, e.x);
  const TrialLine t{"18/1/end", -128.69, 1234, {0.08, 1.95, 4.5, 1.5}};
  EXPECT_EQ(trialLineOf(textOf(t)).parameters, t.parameters);
  EXPECT_EQ(trialLineOf(textOf(t)).evaluations, 1234);
  const FitLine f{2, 1000, 0.08, 1.95, 4.5, 1.5, 1e-9, 2.5e-11, 1231};
  EXPECT_EQ(textOf(fitLineOf(textOf(f))), textOf(f));
  EXPECT_EQ(limitOf(limitLine(-1234.5)), -1234.5);
}

TEST(StateLines, NoEnergyIsNotANumber) {
  EXPECT_TRUE(std::isnan(evaluationLineOf("nan 1").energy));
  EXPECT_TRUE(std::isnan(trialLineOf("k nan 1 1 2 3 4").energy));
}

TEST(StateLines, NothingElseIsTaken) {
  for (const char* text :
       {"", " ", "-1", "-1 x", "-1 1,5", " -1 1", "-1 1 ", "inf 1", "-1 nan", "f -1 1", "-1e999 1"})
    EXPECT_THROW(evaluationLineOf(text), Error) << text;
  for (const char* text : {"", "k -1 1", "k -1 1 1 2 3", "k -1 1.5 1 2 3 4", "k -1 -1 1 2 3 4"})
    EXPECT_THROW(trialLineOf(text), Error) << text;
  for (const char* text : {"0 1 1 2 3 4 5 6", "0 1 1 2 3 4 5 6 7 8", "-1 1 1 2 3 4 5 6 7",
                           "0 1 0 2 3 4 5 6 7", "0 1 1 1 3 4 5 6 7"})
    EXPECT_THROW(fitLineOf(text), Error) << text;
  for (const char* text : {"", "abc", "0", "1", "-1 2", "nan"}) EXPECT_THROW(limitOf(text), Error) << text;
}

}  // namespace
}  // namespace prophet
