#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace prophet {
namespace {

using test::contains;
using test::ProgramRun;
using test::Scratch;

std::string firstLine(const std::filesystem::path& file) {
  const std::string text = test::readFile(file);
  return text.substr(0, text.find('\n'));
}

TEST(AuditCommand, WritesTableCsvAndJsonOfAFile) {
  const Scratch s;
  ASSERT_EQ(
      s.run("basis export 8-10 --library prophet-1 --format json --shared average -o dyall-v4z.json").status,
      0);
  const ProgramRun o = s.run("basis audit dyall-v4z.json --elements 9-10 --csv audit.csv --json audit.json");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "(2 elements), Gaussian nucleus")) << o.out;
  EXPECT_EQ(firstLine(s.path() / "audit.csv").rfind("element,energy,minus_limit,prolapse,gradient,", 0), 0u);
  const auto json = nlohmann::json::parse(test::readFile(s.path() / "audit.json"));
  const auto& rows = json.at("sets").at(0).at("rows");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows.at(1).at("element"), "Ne");
  EXPECT_EQ(rows.at(1).at("limit_source"), "table");
  EXPECT_GT(rows.at(1).at("minus_limit").get<double>(), 0);
}

TEST(AuditCommand, ComparesCollectionsByName) {
  const Scratch s;
  const ProgramRun o = s.run("basis audit prophet-1 universal --elements He");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "prophet-1 (1 element)")) << o.out;
  EXPECT_TRUE(contains(o.out, "universal (1 element)")) << o.out;
}

TEST(AuditCommand, OtherNucleiHaveTheirLimitsComputed) {
  const Scratch s;
  ASSERT_EQ(s.run("basis audit universal --elements He --nucleus sphere --csv a.csv").status, 0);
  EXPECT_TRUE(contains(test::readFile(s.path() / "a.csv"), ",computed,"));
  ASSERT_EQ(s.run("basis audit universal --elements He --limits estimate --csv a.csv").status, 0);
  EXPECT_TRUE(contains(test::readFile(s.path() / "a.csv"), ",estimate,"));
}

TEST(AuditCommand, WrongUseIsStatusTwoAndWritesNothing) {
  const Scratch s;
  s.write("text.json", "nonsense");
  for (const char* arguments :
       {"", "prophet-1 --limits some", "prophet-1 --threads 0", "nowhere", "./nowhere.json", "text.json",
        "wtbs-2.1 --elements 100", "prophet-1 --nucleus disc", "prophet-1 --elements Xx"}) {
    const ProgramRun o = s.run(std::string("basis audit --csv a.csv ") + arguments);
    EXPECT_EQ(o.status, 2) << arguments << ": " << o.err;
    EXPECT_FALSE(o.err.empty()) << arguments;
    EXPECT_TRUE(o.out.empty()) << arguments;
    EXPECT_FALSE(std::filesystem::exists(s.path() / "a.csv")) << arguments;
  }
}

/// A set that does not hold the atom: its row says why, the others are there.
TEST(AuditCommand, AnElementWithoutEnergyIsStatusOne) {
  const Scratch s;
  s.write("a.nw", "BASIS \"ao basis\"\nHe S\n 10.0 1.0\nHe S\n 1.0 1.0\nNe S\n 1.0 1.0\nEND\n");
  const ProgramRun o = s.run("basis audit a.nw --csv a.csv");
  EXPECT_EQ(o.status, 1) << o.err;
  EXPECT_TRUE(contains(test::readFile(s.path() / "a.csv"), ",failed,"));
  EXPECT_TRUE(contains(test::readFile(s.path() / "a.csv"), ",ok,"));
}

}  // namespace
}  // namespace prophet
