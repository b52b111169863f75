#include "operations/catalogue/operation_input.hpp"

#include <gtest/gtest.h>

#include "operations/input/diagnostics.hpp"

namespace prophet {
namespace {

std::string errorsOfFile(const std::string& text) {
  try {
    readOperationInput("t\n" + text + "\n", "dir/x.inp");
  } catch (const InputErrors& errors) {
    std::string all;
    for (const Diagnostic& d : errors.diagnostics())
      all += std::to_string(d.line) + ":" + std::to_string(d.column) + ": " + d.message + "\n";
    return all;
  }
  return "";
}

std::string errorsOfGroup(const std::string& group) {
  return errorsOfFile("$contrl jobtype='structure' $end\n$structure " + group + " $end");
}

TEST(OperationInput, ASettingByAnotherNameHasItsPlaceToo) {
  EXPECT_EQ(errorsOfGroup("crystal='CoO' shape='sphere:20'\n  output=5"),
            "4:3: $structure out: found 5.0; expected FILE\n");
  EXPECT_EQ(errorsOfGroup("crystal='CoO' shape='sphere:20'\n  output='a.xyz' out='b.xyz'"),
            "4:18: 'out' is set twice; first in line 4\n");
}

TEST(OperationInput, UnknownWordsAreRefusedAsThoseOfJobs) {
  EXPECT_EQ(errorsOfGroup("crystal='CoO' shap='sphere:20' out='a.xyz'"),
            "3:26: unknown keyword 'shap' in $structure; did you mean 'shape'?\n");
  EXPECT_EQ(errorsOfFile("$contrl jobtype='structure' $end\n$structur crystal='CoO' out='a.xyz' $end"),
            "3:1: unknown group '$structur'; did you mean '$structure'?\n");
  EXPECT_EQ(errorsOfFile(
                "$contrl jobtype='structure' briet='gaunt' $end\n$structure crystal='CoO' out='a.xyz' $end"),
            "2:29: unknown keyword 'briet' in $contrl; did you mean 'breit'?\n");
  EXPECT_EQ(
      errorsOfFile("$contrl jobtype='structure' c=1 $end $scf $end\n$structure crystal='CoO' out='a.xyz' "
                   "$end"),
      "2:29: jobtype='structure' does not use $contrl c; omit it\n"
      "2:38: jobtype='structure' uses $contrl and $structure, not $scf\n");
}

TEST(OperationInput, NothingOfAGroupIsPassedOver) {
  EXPECT_EQ(errorsOfGroup("crystal='CoO' out(2)='a.xyz'"), "3:26: 'out' takes one value and no index\n");
  EXPECT_EQ(errorsOfGroup("crystal='CoO' out='a.xyz' 5"),
            "3:38: found '5' after the value of 'out'; expected the next keyword or $end, or quotes around a "
            "text of several words\n");
  EXPECT_EQ(errorsOfGroup("crystal='CoO' out='a.xyz' $end\n$structure out='b.xyz'"),
            "4:1: $structure appears twice; the first one is in line 3\n");
  EXPECT_EQ(errorsOfGroup("crystal='CoO' out='a.xyz' $end\n5 6\n$contrl"),
            "4:1: found '5'; expected a group such as $structure\n"
            "5:1: $contrl appears twice; the first one is in line 2\n");
}

TEST(OperationInput, AnUnknownTypeIsToldAllThatThereAre) {
  const std::string told = errorsOfFile("$contrl jobtype='madelun' $end\n$madelung file='a.cif' $end");
  for (const char* part : {"2:17: found jobtype='madelun'; expected 'energy', ", "'slater', 'audit', ",
                           "'structure'", "; did you mean 'madelung'?\n"})
    EXPECT_NE(told.find(part), std::string::npos) << told;
  EXPECT_EQ(told.find("jobtype="), told.rfind("jobtype=")) << "said once: " << told;
  EXPECT_EQ(errorsOfFile("$contrl jobtype=' Madelung ' $end\n$madelung file='a.cif' $end"), "");
}

TEST(OperationInput, ListsHaveNoEmptyItems) {
  EXPECT_EQ(errorsOfFile("$contrl jobtype='powder' $end\n$powder file='a.xyz' q=0.5,,2 $end")
                .find("3:28: an item of 'q' is empty; expected numbers, or START:STOP:STEP"),
            0u);
}

TEST(OperationInput, ListsKeepTheirOrder) {
  const OperationInput input =
      readOperationInput("t\n$contrl jobtype='powder' $end\n$powder file='a.xyz' q=0.5,1,2 $end\n", "x.inp");
  EXPECT_EQ(input.values.dump(), R"({"file":"a.xyz","q":[0.5,1.0,2.0]})");
}

TEST(OperationInput, AFileByAnotherNameIsInTheFolderOfTheInput) {
  const OperationInput input = readOperationInput(
      "t\n$contrl jobtype='structure' $end\n$structure crystal='CoO' shape='sphere:20' output='a.xyz' $end\n",
      "dir/x.inp");
  EXPECT_EQ(input.values, (Json{{"crystal", "CoO"}, {"shape", "sphere:20"}, {"out", "dir/a.xyz"}}));
}

}  // namespace
}  // namespace prophet
