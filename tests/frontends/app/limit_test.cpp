#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace prophet {
namespace {

using test::contains;
using test::ProgramRun;
using test::Scratch;

const char* const kLimitNeon = "Neon\n$contrl jobtype='limit' $end\n$nuc znuc=10 nucmdl=1 $end\n";

/// Finite differences: Ne with a point nucleus.
TEST(LimitJob, ReportAndJson) {
  const Scratch s;
  s.write("ne.inp", kLimitNeon);
  const ProgramRun o = s.run("ne.inp --json ne.json");
  ASSERT_EQ(o.status, 0) << o.err;
  for (const char* part : {"estimated error", "2p3/2", "<1/r>", "Numerical limit of Ne", "warnings"})
    EXPECT_TRUE(contains(o.out, part)) << part;
  const auto j = nlohmann::json::parse(test::readFile(s.path() / "ne.json"));
  EXPECT_NEAR(j.at("energy").get<double>(), -128.69196949329887, 1e-9);
  EXPECT_NEAR(std::stod(s.run("ne.inp --quiet").out), -128.69196949329887, 1e-9);
}

TEST(LimitJob, NonrelativisticLimitOfKrypton) {
  const Scratch s;
  s.write("kr.inp", "Krypton\n$contrl jobtype='limit' hamiltonian='nonrel' $end\n$nuc z=36 nucmdl=1 $end\n");
  const ProgramRun o = s.run("kr.inp --json kr.json");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "non-relativistic"));
  const auto j = nlohmann::json::parse(test::readFile(s.path() / "kr.json"));
  EXPECT_NEAR(j.at("energy").get<double>(), -2752.054977345524, 2e-9);
  EXPECT_EQ(j.at("hamiltonian"), "non-relativistic");
  s.write("x2c.inp", "Krypton\n$contrl jobtype='limit' hamiltonian='x2c1e' $end\n$nuc z=36 $end\n");
  EXPECT_EQ(s.run("x2c.inp").status, 2);
}

TEST(LimitJob, BatchesOfHamiltonians) {
  const Scratch s;
  ASSERT_EQ(
      s.run("batch --elements He,Ne --nucleus point --hamiltonian dirac,nonrel --limit --csv t.csv").status,
      0);
  const std::string table = test::readFile(s.path() / "t.csv");
  for (const char* part :
       {"He point limit,", "He point nonrel limit,", "-2.8616799956", "-2.861813342", "-128.547098109"})
    EXPECT_TRUE(contains(table, part)) << table;
  ASSERT_EQ(s.run("batch --elements Ne --nucleus point --hamiltonian nonrel,sfx2c1e --csv e.csv").status, 0);
  EXPECT_TRUE(contains(test::readFile(s.path() / "e.csv"), "-128.54709"));
  EXPECT_EQ(s.run("batch --elements Ne --hamiltonian sfx2c1e --limit --csv n.csv").status, 2);
  EXPECT_EQ(s.run("batch --elements Ne --hamiltonian dkh2 --csv n.csv").status, 2);
}

TEST(LimitJob, NoConvergenceIsStatusThree) {
  const Scratch s;
  s.write("ne.inp", std::string(kLimitNeon) + "$scf maxitr=2 $end\n");
  const ProgramRun o = s.run("ne.inp");
  EXPECT_EQ(o.status, 3);
  EXPECT_TRUE(contains(o.out, "NOT CONVERGED within 2 iterations"));
}

TEST(ValidateCommand, PassIsStatusZeroWithTables) {
  const Scratch s;
  const ProgramRun o = s.run("validate --elements He,Be --against reference --csv v.csv --json v.json");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_TRUE(contains(o.out, "GRASP 2018"));
  EXPECT_TRUE(nlohmann::json::parse(test::readFile(s.path() / "v.json")).at("passed").get<bool>());
  EXPECT_TRUE(contains(test::readFile(s.path() / "v.csv"), ",pass,"));
}

TEST(ValidateCommand, ComparesPartsBeyondCoulomb) {
  const Scratch s;
  const ProgramRun o = s.run(
      "validate --elements Be --breit breit --qedvp uehling --qedse inner --self-consistent --json v.json");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  for (const char* part : {"Gaunt", "Breit gauge", "vacuum polarisation", "self-energy"})
    EXPECT_TRUE(contains(o.out, part)) << o.out;
  const auto rows = nlohmann::json::parse(test::readFile(s.path() / "v.json")).at("rows");
  EXPECT_TRUE(rows.at(0).at("parts").contains("self_energy"));
}

TEST(ValidateCommand, FailureIsStatusOne) {
  const Scratch s;
  const ProgramRun o = s.run("validate --elements He --library wtbs-2.1 --threshold 1e-10");
  EXPECT_EQ(o.status, 1) << o.out;
  EXPECT_TRUE(contains(o.out, "FAIL") && contains(o.out, "1 failed"));
}

TEST(ValidateCommand, WrongUseIsStatusTwo) {
  const Scratch s;
  for (const char* arguments :
       {"--elements Xx", "--against nothing", "--nucleus cube", "--threshold 0", "--library none",
        "--threads 0", "--nonsense", "extra", "--against reference --nucleus gaussian", "--breit x",
        "--self-consistent", "--breit breit --against reference"}) {
    const ProgramRun o = s.run("validate " + std::string(arguments));
    EXPECT_EQ(o.status, 2) << arguments << ": " << o.err;
    EXPECT_TRUE(o.out.empty()) << arguments;
    EXPECT_FALSE(o.err.empty()) << arguments;
  }
}

}  // namespace
}  // namespace prophet
