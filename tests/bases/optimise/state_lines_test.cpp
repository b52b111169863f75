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
  EXPECT_EQ(textOf(e), "e -2.8618133122 1.5 -1e-300 12345.678901234567");
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
  EXPECT_TRUE(std::isnan(evaluationLineOf("e nan 1").energy));
  EXPECT_TRUE(std::isnan(trialLineOf("trial k nan 1 1 2 3 4").energy));
}

TEST(StateLines, NothingElseIsTaken) {
  for (const char* text : {"e", "e ", "e -1", "e -1 x", "e -1 1,5", "e  -1 1", "e -1 1 ", "e inf 1",
                           "e -1 nan", "f -1 1", "e -1e999 1"})
    EXPECT_THROW(evaluationLineOf(text), Error) << text;
  for (const char* text :
       {"trial", "trial k -1 1", "trial k -1 1 1 2 3", "trial k -1 1.5 1 2 3 4", "trial k -1 -1 1 2 3 4"})
    EXPECT_THROW(trialLineOf(text), Error) << text;
  for (const char* text : {"fit 0 1 1 2 3 4 5 6", "fit 0 1 1 2 3 4 5 6 7 8", "fit -1 1 1 2 3 4 5 6 7",
                           "fit 0 1 0 2 3 4 5 6 7", "fit 0 1 1 1 3 4 5 6 7"})
    EXPECT_THROW(fitLineOf(text), Error) << text;
  for (const char* text : {"limit", "limit abc", "limit 0", "limit 1", "limit -1 2", "limit nan"})
    EXPECT_THROW(limitOf(text), Error) << text;
}

}  // namespace
}  // namespace prophet
