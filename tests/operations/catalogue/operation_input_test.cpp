#include "operations/catalogue/operation_input.hpp"

#include <gtest/gtest.h>

namespace prophet {
namespace {

std::string errorsOfGroup(const std::string& group) {
  try {
    readOperationInput("t\n$contrl jobtype='structure' $end\n$structure " + group + " $end\n", "dir/x.inp");
  } catch (const InputErrors& errors) {
    std::string all;
    for (const Diagnostic& d : errors.diagnostics())
      all += std::to_string(d.line) + ":" + std::to_string(d.column) + ": " + d.message + "\n";
    return all;
  }
  return "";
}

TEST(OperationInput, ASettingByAnotherNameHasItsPlaceToo) {
  EXPECT_EQ(errorsOfGroup("crystal='CoO' shape='sphere:20'\n  output=5"),
            "4:3: $structure out: found 5.0; expected FILE\n");
  EXPECT_EQ(errorsOfGroup("crystal='CoO' shape='sphere:20'\n  output='a.xyz' out='b.xyz'"),
            "4:18: $structure out is given twice\n");
}

TEST(OperationInput, AFileByAnotherNameIsInTheFolderOfTheInput) {
  const OperationInput input = readOperationInput(
      "t\n$contrl jobtype='structure' $end\n$structure crystal='CoO' shape='sphere:20' output='a.xyz' $end\n",
      "dir/x.inp");
  EXPECT_EQ(input.values, (Json{{"crystal", "CoO"}, {"shape", "sphere:20"}, {"out", "dir/a.xyz"}}));
}

}  // namespace
}  // namespace prophet
