#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "json_lines.hpp"
#include "operations/result_file/result_file.hpp"

namespace prophet {
namespace {

using test::contains;
using test::linesOf;
using test::ProgramRun;
using test::readFile;
using test::Scratch;

class ResultOutput : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!hasResultFiles()) GTEST_SKIP() << "built without HDF5";
    s.write("ne.inp", "Neon\n$nuc znuc=10 $end\n");
  }
  nlohmann::json json(const std::string& name) const {
    return nlohmann::json::parse(readFile(s.path() / name));
  }
  std::string path(const std::string& name) const { return (s.path() / name).string(); }

  Scratch s;
};

TEST_F(ResultOutput, HasTheNumbersOfTheJson) {
  ASSERT_EQ(s.run("ne.inp --hdf5 ne.h5 --json ne.json --threads 1").status, 0);
  const ResultRecord record = readRecord(path("ne.h5"));
  EXPECT_EQ(record.result.energy.total, json("ne.json").at("energy").get<double>());
  EXPECT_EQ(record.input, "Neon\n$nuc znuc=10 $end\n");
  EXPECT_EQ(record.title, "Neon");
  EXPECT_EQ(record.date.size(), 20u);
  // Keeping the spinors changes nothing.
  ASSERT_EQ(s.run("ne.inp --json plain.json --threads 1").status, 0);
  EXPECT_EQ(json("plain.json").at("energy"), json("ne.json").at("energy"));
}

TEST_F(ResultOutput, OfALimit) {
  s.write("he.inp", "Helium\n$nuc znuc=2 $end\n$contrl jobtype='limit' $end\n");
  ASSERT_EQ(s.run("he.inp --hdf5 he.h5 --json he.json --threads 1").status, 0);
  const Result result = readResult(path("he.h5"));
  EXPECT_EQ(result.energy.total, json("he.json").at("energy").get<double>());
  EXPECT_TRUE(result.wavefunction);
  const ProgramRun o = s.run("ne.inp --restart he.h5");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "contains a numerical limit")) << o.err;
}

TEST_F(ResultOutput, RestartsTheSameJobWithTheSameDigits) {
  ASSERT_EQ(s.run("ne.inp --hdf5 ne.h5 --json ne.json --threads 1").status, 0);
  const ProgramRun o = s.run("ne.inp --restart ne.h5 --json again.json --threads 1");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "spinors of Ne")) << o.out;
  EXPECT_LE(json("again.json").at("iterations").get<int>(), 2);
  EXPECT_EQ(s.run("ne.inp --restart ne.h5 --quiet").out, s.run("ne.inp --quiet").out);
  const double energy = json("ne.json").at("energy");
  EXPECT_NEAR(json("again.json").at("energy").get<double>(), energy, 5e-14 * -energy);
}

TEST_F(ResultOutput, RestartsSpinorsOpenByTheirJ) {
  s.write("hole.inp", "Neon\n$nuc z='Ne' $end\n$electrons hole='2p1/2' $end\n");
  ASSERT_EQ(s.run("hole.inp --hdf5 hole.h5 --json hole.json --threads 1").status, 0);
  ASSERT_EQ(s.run("hole.inp --restart hole.h5 --json again.json --threads 1").status, 0);
  EXPECT_LE(json("again.json").at("iterations").get<int>(), 2);
  const nlohmann::json first = json("hole.json"), again = json("again.json");
  EXPECT_EQ(first.at("configuration").at("description"), "[He] 2s2 2p1/2 2p3/2:4");
  EXPECT_EQ(first.at("configuration_source"), "given");
  EXPECT_NEAR(again.at("energy").get<double>(), first.at("energy").get<double>(), 1e-11);
}

TEST_F(ResultOutput, RestartsAcrossBases) {
  s.write("other.inp", "Neon\n$nuc znuc=10 $end\n$basis library='universal' $end\n");
  ASSERT_EQ(s.run("ne.inp --hdf5 ne.h5").status, 0);
  ASSERT_EQ(s.run("other.inp --json alone.json").status, 0);
  ASSERT_EQ(s.run("other.inp --restart ne.h5 --json started.json").status, 0);
  const double energy = json("alone.json").at("energy");
  EXPECT_NEAR(json("started.json").at("energy").get<double>(), energy, 1e-12 * -energy);
  EXPECT_LT(json("started.json").at("iterations"), json("alone.json").at("iterations"));
}

TEST_F(ResultOutput, RefusesWhatCannotBeTheStart) {
  s.write("f.inp", "Fluorine\n$nuc znuc=9 $end\n");
  s.write("na.inp", "Sodium\n$nuc znuc=11 $end\n");
  s.write("na+.inp", "Sodium\n$nuc znuc=11 $end\n$electrons charge=1 $end\n");
  ASSERT_EQ(s.run("ne.inp --hdf5 ne.h5").status, 0);
  const ProgramRun o = s.run("na.inp --restart ne.h5");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "occupies others")) << o.err;
  EXPECT_EQ(s.run("na+.inp --restart ne.h5").status, 0);
  EXPECT_EQ(s.run("f.inp --restart ne.h5").status, 0);  // the same spinors, one of them open
  EXPECT_EQ(s.run("ne.inp --restart none.h5").status, 2);
  EXPECT_EQ(s.run("ne.inp --restart ne.inp").status, 2);
  EXPECT_EQ(s.run("ne.inp --restart ''").status, 2);
  EXPECT_EQ(s.run("ne.inp --hdf5 ''").status, 2);
  EXPECT_EQ(s.run("ne.inp --hdf5 ne.inp").status, 2);
  EXPECT_EQ(s.run("ne.inp --check --hdf5 x.h5").status, 2);
  EXPECT_EQ(s.run("ne.inp --json same --hdf5 same").status, 2);
  EXPECT_EQ(s.run("ne.inp --hdf5 /none/x.h5").status, 2);
}

TEST_F(ResultOutput, OfABatchHasAGroupForEachJob) {
  s.write("bad.inp", "t\n$nuc nucmodl=1 $end\n");
  const std::string command =
      "batch ne.inp bad.inp --elements He,Li --json-lines out.jsonl --hdf5 all.h5 --backend cpu";
  EXPECT_EQ(s.run(command).status, 3);
  EXPECT_EQ(resultIds(path("all.h5")), (std::vector<std::string>{"He", "Li", "ne.inp"}));
  const auto lines = linesOf(s.path() / "out.jsonl");
  for (const char* id : {"He", "Li", "ne.inp"}) {
    const Result result = readResult(path("all.h5"), id);
    EXPECT_EQ(result.energy.total, lines.at(id).at("energy").get<double>());
    EXPECT_TRUE(result.wavefunction) << id;
  }
  EXPECT_EQ(s.run("batch --elements He --csv he.csv --hdf5 none/all.h5").status, 2);
  // What the file asks for in words computes the same.
  s.write("li.inp", readRecord(path("all.h5"), "Li").input);
  ASSERT_EQ(s.run("li.inp --json li.json --threads 1").status, 0);
  EXPECT_EQ(json("li.json").at("energy"), lines.at("Li").at("energy"));
}

TEST_F(ResultOutput, AResumedBatchComputesWhatTheFileLacks) {
  const std::string command = "batch ne.inp --elements He --json-lines out.jsonl --hdf5 all.h5 --backend cpu";
  ASSERT_EQ(s.run(command).status, 0);
  std::filesystem::remove(path("all.h5"));
  ASSERT_EQ(s.run(command + " --resume").status, 0);
  EXPECT_EQ(resultIds(path("all.h5")).size(), 2u);
  const ProgramRun o = s.run(command + " --resume");
  EXPECT_TRUE(contains(o.out, "(2 from an earlier run)")) << o.out;
  EXPECT_EQ(resultIds(path("all.h5")).size(), 2u);
}

}  // namespace
}  // namespace prophet
