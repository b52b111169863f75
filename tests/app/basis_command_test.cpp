#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace prophet {
namespace {

using testing::Scratch;

TEST(BasisCommand, ShowsASet) {
  const auto o = Scratch().run("basis show Ne --library wtbs-2.1");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_NE(o.out.find("0.09943"), std::string::npos) << o.out;
}

TEST(BasisCommand, ExportsEveryFormat) {
  const Scratch s;
  for (const char* format : {"prophet", "json", "nwchem", "dirac", "gaussian"}) {
    const auto o = s.run(std::string("basis export Ne --library wtbs-2.1 --format ") + format);
    EXPECT_EQ(o.status, 0) << format << o.err;
    EXPECT_GT(o.out.size(), 200u) << format;
  }
  ASSERT_EQ(s.run("basis export He,Ne --library wtbs-2.1 --format json --out sets.json").status, 0);
  EXPECT_EQ(nlohmann::json::parse(testing::readFile(s.path() / "sets.json")).at("elements").size(), 2u);
}

TEST(BasisCommand, WrongUse) {
  const Scratch s;
  for (const char* arguments :
       {"basis", "basis shoe Ne", "basis show", "basis show Xx", "basis export Ne --format cp2k"}) {
    const auto o = s.run(arguments);
    EXPECT_EQ(o.status, 2) << arguments << o.err;
    EXPECT_TRUE(o.out.empty());
  }
  EXPECT_EQ(s.run("basis show Ne --library nowhere").status, 1);
}

}  // namespace
}  // namespace prophet
