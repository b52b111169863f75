#include <gtest/gtest.h>

#include <algorithm>

#include <nlohmann/json.hpp>
#include <regex>

#include "run_program.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

using test::Scratch;

TEST(BasisCommand, ShowsASet) {
  const auto o = Scratch().run("basis show Ne --library wtbs-2.1-by-symmetry");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_NE(o.out.find("0.09943"), std::string::npos) << o.out;
}

TEST(BasisCommand, ExportsEveryFormat) {
  const Scratch s;
  for (const char* format : {"prophet", "json", "nwchem", "dirac", "gaussian"}) {
    const auto o = s.run(std::string("basis export Ne --library wtbs-2.1-by-symmetry --format ") + format);
    EXPECT_EQ(o.status, 0) << format << o.err;
    EXPECT_GT(o.out.size(), 200u) << format;
  }
  ASSERT_EQ(s.run("basis export He,Ne --library wtbs-2.1-by-symmetry --format json --out sets.json").status,
            0);
  EXPECT_EQ(nlohmann::json::parse(test::readFile(s.path() / "sets.json")).at("elements").size(), 2u);
}

TEST(BasisCommand, ExportsBeginWithWhatCanBeCited) {
  const Scratch s;
  const std::string set = s.run("basis export Ne --basis prophet-tz --format nwchem").out;
  EXPECT_EQ(set.find("# Ne prophet-tz, made with cudaprophet "), 0u) << set.substr(0, 300);
  const std::size_t second = set.find('\n') + 1, third = set.find('\n', second) + 1;
  EXPECT_EQ(set.substr(second, third - second),
            "# Ne: exponents optimised for least error and prolapse, one list for both j\n");
  for (std::size_t at = 0, end; (end = set.find('\n', at)) != std::string::npos; at = end + 1)
    EXPECT_LE(end - at, 160u) << set.substr(at, end - at);
  const std::string json = s.run("basis export Ne --basis prophet-tz --format json").out;
  EXPECT_NE(json.find("sizes tz of sizes.csv"), std::string::npos);
}

TEST(BasisCommand, TableComputesTheErrorsThatTheFilesState) {
  const Scratch s;
  const auto o = s.run("basis table prophet-1 wtbs-2.1-by-symmetry --elements H,He,Ne --backend cpu");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out,
            "| Z | | prophet-1 | functions | error | wtbs-2.1-by-symmetry | functions | error |\n"
            "| --- | --- | --- | --- | --- | --- | --- | --- |\n"
            "| 1 | H | 18s+ | 18 | 2.9e-09 | | | |\n"
            "| 2 | He | 18s+ | 18 | 4.9e-09 | 18s+ | 18 | 3.7e-09 |\n"
            "| 10 | Ne | 24s+ 15p- 14p+ | 53 | 4.6e-09 | 23s+ 16p- 16p+ | 55 | 5.8e-09 |\n");
  const auto one = s.run("basis table --elements Ne");
  EXPECT_NE(one.out.find("| prophet-1 | functions | error |\n"), std::string::npos) << one.out;
  EXPECT_NE(one.out.find("| 10 | Ne | 24s+ 15p- 14p+ | 53 | 4.6e-09 |\n"), std::string::npos) << one.out;
}

/// A row of a Markdown table as a line of CSV: "| 1 | H | |" is "1,H,".
std::string asCsv(const std::string& row) {
  std::istringstream cells(row.substr(1, row.rfind('|') - 1));
  std::string line;
  for (std::string cell; std::getline(cells, cell, '|');) {
    const std::size_t from = cell.find_first_not_of(' '), to = cell.find_last_not_of(' ');
    line += "," + (from == std::string::npos ? "" : cell.substr(from, to - from + 1));
  }
  return line.substr(1);
}

/// docs/data/prophet-1.csv is this table: all rows and sizes, and errors to the digit that is printed.
TEST(BasisCommand, TheTableInTheDocsIsItsOutput) {
  const auto o = Scratch().run("basis table prophet-1 wtbs-2.1-by-symmetry --elements 1-36 --backend cpu");
  ASSERT_EQ(o.status, 0) << o.err;
  const std::string docs = test::readFile(PROPHET_SOURCE_DIR "/docs/data/prophet-1.csv");
  std::istringstream lines(o.out);
  std::string line;
  std::getline(lines, line);  // the heads
  std::getline(lines, line);
  int rows = 0;
  for (; std::getline(lines, line); ++rows)
    EXPECT_NE(docs.find("\n" + asCsv(line) + "\n"), std::string::npos) << line;
  EXPECT_EQ(rows, 36);
}

TEST(BasisCommand, OptionsOfATableAreRefusedElsewhere) {
  const Scratch s;
  for (const char* arguments :
       {"basis show Ne --elements Ne", "basis export Ne --backend cpu", "basis show Ne --device 0",
        "basis compare prophet-1 wtbs-2.1-by-symmetry --threads 2"}) {
    const auto o = s.run(arguments);
    EXPECT_EQ(o.status, 2) << arguments;
    EXPECT_TRUE(std::regex_search(o.err, std::regex("belongs to .*'basis table'"))) << arguments << o.err;
    EXPECT_TRUE(o.out.empty()) << arguments;
  }
}

TEST(BasisCommand, ContractsASetAndUsesIt) {
  const Scratch s;
  const auto o = s.run("basis contract Ne --hamiltonian x2c1e --uncontract 1 --format nwchem -o ne.nw");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_NE(test::readFile(s.path() / "ne.nw").find("-> [3s,2p]"), std::string::npos);
  s.write("ne.inp",
          "Ne\n$contrl hamiltonian='x2c1e' $end\n$nuc z=10 $end\n$bas bastype='file' file='ne.nw' "
          "contracted=.true. $end\n");
  EXPECT_EQ(s.run("ne.inp --quiet").status, 0);
}

TEST(BasisCommand, ContractsWithNaturalFunctions) {
  const Scratch s;
  const auto o = s.run(
      "basis contract Ne --library prophet-dz --hamiltonian sfx2c1e --natural 3s2p1d --states '0 1' --format "
      "nwchem");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_NE(o.out.find("-> [3s,2p,1d]"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("natural spinors of second order of the neutral atom, the ion 1+"), std::string::npos);
  EXPECT_NE(o.out.find("contracted less primitive functions in the atom: field"), std::string::npos);
}

TEST(BasisCommand, WrongUseOfContractions) {
  const Scratch s;
  for (const char* arguments :
       {"basis contract Ne", "basis contract Ne --format json --per q", "basis export Ne --per j",
        "basis contract Ne --format json --hamiltonian dkh", "basis contract Ne --format json --element Ne",
        "basis contract Ne --format json --uncontract=-1", "basis contract Ne --format json --natural 2",
        "basis contract Ne --format json --states '0 1'",
        "basis contract Ne --format json --natural 2s1p --states '1 0'"})
    EXPECT_EQ(s.run(arguments).status, 2) << arguments;
  EXPECT_EQ(s.run("basis contract Ne --format json --per j --hamiltonian nonrel").status, 2);
}

TEST(BasisCommand, ExportsGroupsOnRequest) {
  const Scratch s;
  const auto linesOf = [&](const std::string& options) {
    const auto o = s.run("basis export Ar --library prophet-tz --format nwchem " + options);
    EXPECT_EQ(o.status, 0) << o.err;
    return std::ranges::count(o.out, '\n');
  };
  const auto none = linesOf(""), core = linesOf("--with core"), diffuse = linesOf("--with diffuse");
  EXPECT_GT(core, none);
  EXPECT_GT(diffuse, none);
  EXPECT_EQ(linesOf("--with core,diffuse") - none, core + diffuse - 2 * none);
  EXPECT_GT(linesOf("--with core-density"), none);
  const auto o = s.run("basis export Ar --library prophet-tz --format nwchem --with diffuse,correlation");
  EXPECT_EQ(o.status, 2);
  EXPECT_NE(o.err.find("only core, diffuse, core-density have to be named"), std::string::npos) << o.err;
}

TEST(BasisCommand, WrongUse) {
  const Scratch s;
  for (const char* arguments :
       {"basis", "basis shoe Ne", "basis show", "basis show Xx", "basis export Ne --format cp2k",
        "basis table --elements Xx", "basis table a b c", "basis export Ar --format json --with polarisation",
        "basis export Ar --format json --with core --without core", "basis export Ar --from 2"}) {
    const auto o = s.run(arguments);
    EXPECT_EQ(o.status, 2) << arguments << o.err;
    EXPECT_TRUE(o.out.empty());
  }
  EXPECT_EQ(s.run("basis show Ne --library nowhere").status, 2);
}

}  // namespace
}  // namespace prophet
