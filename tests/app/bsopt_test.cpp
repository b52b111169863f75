#include <gtest/gtest.h>
#include <signal.h>

#include <nlohmann/json.hpp>
#include <random>

#include "run_program.hpp"

namespace prophet {
namespace {

using testing::Outcome;
using testing::Scratch;

const char* const kHelium =
    "Helium\n$contrl jobtype='bsopt' $end\n$nuc znuc=2 nucmdl=3 $end\n$bas nsym=1 bastype='wtbs' $end\n"
    "$wtbs wtbspara=0.0814,1.953,4.504,1.515 nbs=18 $end\n$newuoa rhobeg=0.1 rhoend=1d-4 iprint=1 maxfun=300 "
    "$end\n"
    "$seconfig config='1s2' $end\n";

nlohmann::json jsonIn(const Scratch& s, const std::string& name) {
  return nlohmann::json::parse(testing::readFile(s.path() / name));
}

TEST(Bsopt, ReachesTheBestHeliumEnergyAndPrintsAReadyBlock) {
  const Scratch s;
  s.write("he.inp", kHelium);
  const Outcome o = s.run("he.inp --json he.json");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_LE(jsonIn(s, "he.json").at("energy").get<double>(), -2.8618133122);
  // The block that it prints is an input: it gives the optimised energy.
  const std::string block = testing::readFile(s.path() / "he.inp.best");
  s.write("again.inp", "Helium again\n$nuc znuc=2 nucmdl=3 $end\n$seconfig config='1s2' $end\n" + block);
  const Outcome again = s.run("again.inp --quiet");
  ASSERT_EQ(again.status, 0) << again.err << block;
  EXPECT_NEAR(std::stod(again.out), jsonIn(s, "he.json").at("energy").get<double>(), 2e-10);
}

/// Killed at random moments and resumed until it ends: the same set as an undisturbed run.
TEST(Bsopt, KilledAndResumedGivesTheSameSet) {
  const Scratch undisturbed;
  undisturbed.write("he.inp", kHelium);
  ASSERT_EQ(undisturbed.run("he.inp --json he.json").status, 0);

  const Scratch s;
  s.write("he.inp", kHelium);
  std::mt19937 random(5);
  std::string resume;
  for (int i = 0; i < 6; ++i) {
    const int milliseconds = 15 + static_cast<int>(random() % 60);
    const std::string command = "cd '" + s.path().string() + "' && timeout -s KILL 0." +
                                (milliseconds < 100 ? "0" : "") + std::to_string(milliseconds) +
                                " '" PROPHET_PROGRAM "' he.inp " + resume + " >/dev/null 2>&1";
    (void)!std::system(command.c_str());
    if (std::filesystem::exists(s.path() / "he.inp.bsopt")) resume = "--resume";
  }
  const Outcome o = s.run("he.inp --json he.json " + resume);
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(jsonIn(s, "he.json").at("groups"), jsonIn(undisturbed, "he.json").at("groups"));
  EXPECT_EQ(jsonIn(s, "he.json").at("energy"), jsonIn(undisturbed, "he.json").at("energy"));
  EXPECT_EQ(jsonIn(s, "he.json").at("evaluations"), jsonIn(undisturbed, "he.json").at("evaluations"));
}

}  // namespace
}  // namespace prophet
