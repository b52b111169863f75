#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <regex>

#include "run_program.hpp"

namespace prophet {
namespace {

using test::contains;
using test::ProgramRun;
using test::Scratch;
namespace fs = std::filesystem;

/// A library file without its date, which may change at midnight.
std::string undated(const fs::path& file) {
  return std::regex_replace(test::readFile(file), std::regex("\ndate[^\n]*"), "");
}

/// The whole table killed at random moments, resumed until it ends: the same files as an undisturbed run.
TEST(ChainCommand, KilledAndResumedGivesTheSameFiles) {
  const Scratch s;
  const std::string command = "chain --elements 1-6 --threshold 1e-7 --threads 2 --out ";
  ASSERT_EQ(s.run(command + "whole/sets").status, 0);

  std::mt19937 random(20261121);
  int kills = 0;
  for (int i = 0; i < 6; ++i)
    kills += s.runAndKill(command + "killed/sets --resume", 100 + static_cast<int>(random() % 500));
  EXPECT_GT(kills, 0);
  const ProgramRun o = s.run(command + "killed/sets --resume");
  ASSERT_EQ(o.status, 0) << o.err;
  int files = 0;
  for (const auto& entry : fs::directory_iterator(s.path() / "whole/sets")) {
    if (entry.path().extension() != ".basis") continue;
    ++files;
    EXPECT_EQ(undated(s.path() / "killed/sets" / entry.path().filename()), undated(entry.path()));
  }
  EXPECT_EQ(files, 6);
  EXPECT_TRUE(fs::is_empty(s.path() / "killed/sets/state"));
  // Without --resume finished elements are not overwritten.
  EXPECT_EQ(s.run(command + "killed/sets").status, 3);
}

TEST(ChainCommand, TakesKnownLimitsAndSaysSo) {
  const Scratch s;
  const ProgramRun o = s.run("chain --elements He --threshold 1e-7 --known-limits universal --out sets");
  ASSERT_EQ(o.status, 0) << o.err;
  const std::string file = test::readFile(s.path() / "sets/002-He.basis");
  EXPECT_NE(file.find("limit from universal\n"), std::string::npos) << file;
  EXPECT_EQ(s.run("chain --elements He --known-limits wtbs-2.1 --out other").status, 2);
}

/// As in Hennessey (2018): one pool, no relativity, a point nucleus. The file says so, and no run for other
/// sets takes it for its own.
TEST(ChainCommand, MakesPublishedKindsOfSets) {
  const Scratch s;
  const std::string command =
      "chain --elements He --threshold 1e-6 --method thesis --nucleus point --out sets";
  const ProgramRun o = s.run(command + " --hamiltonian nonrel");
  ASSERT_EQ(o.status, 0) << o.out << o.err;
  const std::string file = test::readFile(s.path() / "sets/002-He.basis");
  for (const char* line : {"nucleus       = point\n", "ladder        = shared\n",
                           "source        = non-relativistic: chain, method thesis, threshold 1e-06\n"})
    EXPECT_NE(file.find(line), std::string::npos) << file;
  const std::size_t limit = file.find("limit         = ");
  ASSERT_NE(limit, std::string::npos) << file;
  EXPECT_NEAR(std::stod(file.substr(limit + 16)), -2.861679995612, 1e-11);
  EXPECT_EQ(s.run(command + " --hamiltonian nonrel --resume").status, 0);
  EXPECT_EQ(s.run(command + " --resume").status, 3) << "a non-relativistic set is no relativistic one";
}

TEST(ChainCommand, WrongUseOfMethodsIsStatusTwo) {
  const Scratch s;
  for (const char* arguments :
       {"--method none", "--hamiltonian nonrel", "--hamiltonian x2c1e --method thesis", "--nucleus cube",
        "--probes 3", "--method thesis --probes 0",
        "--method thesis --hamiltonian nonrel --known-limits prophet-1"})
    EXPECT_EQ(s.run(std::string("chain --elements He --out sets ") + arguments).status, 2) << arguments;
}

TEST(ChainCommand, RunsOnTheCpuUnlessAGpuIsAskedForAndSaysWhy) {
  const Scratch s;
  ::setenv("CUDAPROPHET_CUDA_LIBRARY", "/nowhere/libnone.so", 1);
  const ProgramRun any = s.run("chain --elements He --threshold 1e-6 --out a");
  const ProgramRun named = s.run("chain --elements He --threshold 1e-6 --out n --device 0");
  const ProgramRun cuda = s.run("chain --elements He --threshold 1e-6 --out b --backend cuda");
  ::unsetenv("CUDAPROPHET_CUDA_LIBRARY");
  EXPECT_EQ(any.status, 0) << any.err;
  EXPECT_NE(any.out.find("chosen automatically: CPU, because the searches of fewer than"), std::string::npos)
      << any.out;
  EXPECT_EQ(named.status, 0) << named.err;
  EXPECT_NE(named.out.find("chosen automatically: CPU, because this program was built"), std::string::npos)
      << named.out;
  EXPECT_EQ(cuda.status, 1);
  EXPECT_NE(cuda.err.find("backend cuda: "), std::string::npos) << cuda.err;
  EXPECT_EQ(s.run("chain --elements He --out c --backend gpu").status, 2);
}

const char* const kLadders =
    "Neon\n$contrl jobtype='chain' $end\n$nuc znuc=10 $end\n$chain threshold=1e-7 $end\n";
const char* const kThesis =
    "Neon\n$contrl jobtype='chain' $end\n$nuc znuc=10 $end\n$chain method='thesis' threshold=1e-6 $end\n"
    "$bas bastype='wtbs' $end\n$wtbs wtbspara=0.05,1.9,5,1.4 nbs=20,14,14 $end\n"
    "$newuoa rhobeg=0.1 rhoend=1d-3 maxfun=60 $end\n";

class ChainJob : public ::testing::TestWithParam<const char*> {};

TEST_P(ChainJob, KilledAndResumedGivesTheSameSet) {
  const Scratch undisturbed, s;
  for (const Scratch* folder : {&undisturbed, &s}) folder->write("ne.inp", GetParam());
  const ProgramRun whole = undisturbed.run("ne.inp --json ne.json");
  ASSERT_EQ(whole.status, 0) << whole.err;
  EXPECT_NE(whole.out.find("functions, expected error") == std::string::npos,
            whole.out.find("tight end of ") == std::string::npos);

  std::mt19937 random(7);
  std::string resume;
  int kills = 0;
  for (int i = 0; i < 5; ++i) {
    kills += s.runAndKill("ne.inp " + resume, 80 + static_cast<int>(random() % 300));
    if (fs::exists(s.path() / "ne.inp.chain")) resume = "--resume";
  }
  EXPECT_GT(kills, 0);
  const ProgramRun o = s.run("ne.inp --json ne.json " + resume);
  ASSERT_EQ(o.status, 0) << o.err;
  const auto json = [](const Scratch& folder) {
    auto j = nlohmann::json::parse(test::readFile(folder.path() / "ne.json"));
    j.erase("seconds");
    return j;
  };
  EXPECT_EQ(json(s), json(undisturbed));
  EXPECT_EQ(test::readFile(s.path() / "ne.inp.best"), test::readFile(undisturbed.path() / "ne.inp.best"));
  EXPECT_EQ(s.run("ne.inp").status, 2);  // not over the state of a run without --resume

  // The set that it leaves is an input, and has the energy that it states.
  s.write("again.inp", "Neon\n" + test::readFile(s.path() / "ne.inp.best"));
  const ProgramRun again = s.run("again.inp --quiet");
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_NEAR(std::stod(again.out), json(s).at("energy").get<double>(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Methods, ChainJob, ::testing::Values(kLadders, kThesis),
                         [](const auto& one) { return one.index == 0 ? "Ladders" : "Thesis"; });

/// Few functions are enough, and the search ends at once.
TEST(ChainCommand, LooseThresholdsNeedFewFunctions) {
  const Scratch s;
  const ProgramRun o = s.run("chain --elements 2,5 --threshold 1e-2 --out sets -q");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_TRUE(contains(o.out, "0 without a set within 1.0e-02")) << o.out;
}

TEST(ChainJob, AMissedThresholdIsNotASuccess) {
  const Scratch s;
  std::string text = kThesis;
  text.replace(text.find("nbs=20,14,14"), 12, "nbs=8,5,5");
  s.write("ne.inp", text);
  const ProgramRun o = s.run("ne.inp");
  EXPECT_EQ(o.status, 3);
  EXPECT_NE(o.out.find("NOT MET"), std::string::npos) << o.out;
}

}  // namespace
}  // namespace prophet
