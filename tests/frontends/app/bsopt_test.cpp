#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "run_program.hpp"

namespace prophet {
namespace {

using test::ProgramRun;
using test::Scratch;

const char* const kHelium =
    "Helium\n$contrl jobtype='bsopt' $end\n$nuc znuc=2 nucmdl=3 $end\n$bas nsym=1 bastype='wtbs' $end\n"
    "$wtbs wtbspara=0.0814,1.953,4.504,1.515 nbs=18 $end\n$newuoa rhobeg=0.1 rhoend=1d-4 iprint=1 maxfun=300 "
    "$end\n"
    "$seconfig config='1s2' $end\n";

nlohmann::json jsonIn(const Scratch& s, const std::string& name) {
  return nlohmann::json::parse(test::readFile(s.path() / name));
}

TEST(Bsopt, ReachesTheBestHeliumEnergyAndPrintsAReadyBlock) {
  const Scratch s;
  s.write("he.inp", kHelium);
  const ProgramRun o = s.run("he.inp --json he.json");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_LE(jsonIn(s, "he.json").at("energy").get<double>(), -2.8618133122);
  // The block that it prints is an input: it gives the optimised energy.
  const std::string block = test::readFile(s.path() / "he.inp.best");
  s.write("again.inp", "Helium again\n$seconfig config='1s2' $end\n" + block);
  const ProgramRun again = s.run("again.inp --quiet");
  ASSERT_EQ(again.status, 0) << again.err << block;
  EXPECT_NEAR(std::stod(again.out), jsonIn(s, "he.json").at("energy").get<double>(), 2e-10);
}

// Its nucleus comes with it: neither a point, the default of exponents in an input, nor one of another size.
TEST(Bsopt, TheBlockOfExponentsBringsTheNucleus) {
  const Scratch s;
  s.write("he.inp",
          "Helium\n$contrl jobtype='bsopt' $end\n$nuc znuc=2 nucmdl=4 rms=30 skin=5 $end\n"
          "$bas nsym=1 bastype='wtbs' $end\n$wtbs wtbspara=0.2,2.6,4,1 nbs=8 $end\n"
          "$newuoa method='lbfgs' free='exponents' $end\n");
  const ProgramRun o = s.run("he.inp --json he.json");
  ASSERT_EQ(o.status, 0) << o.err;
  const std::string block = test::readFile(s.path() / "he.inp.best");
  EXPECT_NE(o.out.find("$nuc znuc=2 nucmdl=4"), std::string::npos) << o.out;
  s.write("again.inp", "Helium again\n" + block);
  const ProgramRun again = s.run("again.inp --quiet");
  ASSERT_EQ(again.status, 0) << again.err << block;
  EXPECT_NEAR(std::stod(again.out), jsonIn(s, "he.json").at("energy").get<double>(), 2e-10);
  EXPECT_EQ(jsonIn(s, "he.json").at("nucleus").at("model"), "Fermi");
  // As a file it brings it too, and the calculation with another one says so.
  s.write("own.inp", "Helium\n$nuc znuc=2 $end\n$bas bastype='file' file='he.inp.best' $end\n");
  const ProgramRun own = s.run("own.inp --json own.json");
  ASSERT_EQ(own.status, 0) << own.err;
  EXPECT_NEAR(jsonIn(s, "own.json").at("energy").get<double>(),
              jsonIn(s, "he.json").at("energy").get<double>(), 2e-10);
  EXPECT_EQ(own.out.find("basis_made_for_something_else"), std::string::npos) << own.out;
  s.write("file.inp", "Helium\n$nuc znuc=2 nucmdl=3 $end\n$bas bastype='file' file='he.inp.best' $end\n");
  const ProgramRun file = s.run("file.inp --json file.json");
  ASSERT_EQ(file.status, 0) << file.err;
  EXPECT_EQ(jsonIn(s, "file.json").at("warnings").at(0).at("id"), "basis_made_for_something_else");
  EXPECT_NE(file.out.find("is for a Fermi nucleus, and this one is Gaussian; nucmdl=4"), std::string::npos)
      << file.out;
}

std::string argon(const std::string& newuoa) {
  return "Argon\n$contrl jobtype='bsopt' $end\n$nuc znuc=18 nucmdl=3 $end\n$bas bastype='wtbs' $end\n"
         "$wtbs wtbspara=0.07,1.9,5,1.4 nbs=26,19,19 $end\n$newuoa " +
         newuoa + " $end\n";
}

class KilledBsopt : public ::testing::TestWithParam<std::string> {};

/// Killed at random moments and resumed until it ends: the same set as an undisturbed run, bit for bit.
TEST_P(KilledBsopt, ResumesToTheSameSet) {
  const Scratch undisturbed, s;
  for (const Scratch* folder : {&undisturbed, &s}) folder->write("ar.inp", argon(GetParam()));
  ASSERT_EQ(undisturbed.run("ar.inp --json ar.json").status, 0);

  std::mt19937 random(5);
  std::string resume;
  int kills = 0;
  for (int i = 0; i < 6; ++i) {
    kills += s.runAndKill("ar.inp " + resume, 40 + static_cast<int>(random() % 120));
    for (const auto& entry : std::filesystem::directory_iterator(s.path())) {
      if (entry.path().string().find(".bsopt") != std::string::npos) resume = "--resume";
    }
  }
  EXPECT_GT(kills, 0);
  const ProgramRun o = s.run("ar.inp --json ar.json " + resume);
  ASSERT_EQ(o.status, 0) << o.err;
  for (const char* key : {"groups", "energy", "evaluations", "failures", "stopped"})
    EXPECT_EQ(jsonIn(s, "ar.json").at(key), jsonIn(undisturbed, "ar.json").at(key)) << key;
  EXPECT_EQ(test::readFile(s.path() / "ar.inp.best"), test::readFile(undisturbed.path() / "ar.inp.best"));
}

INSTANTIATE_TEST_SUITE_P(Starts, KilledBsopt, ::testing::Values("maxfun=120", "starts=4 maxfun=40"),
                         [](const auto& one) { return one.index == 0 ? "One" : "Four"; });

TEST(Bsopt, SeveralStartsGiveTheBestOfThem) {
  const Scratch s;
  std::string text = kHelium;
  text.replace(text.find("maxfun=300"), 10, "maxfun=60 starts=5 spread=0.3");
  s.write("he.inp", text);
  const ProgramRun o = s.run("he.inp --json he.json");
  ASSERT_EQ(o.status, 0) << o.err;
  const nlohmann::json j = jsonIn(s, "he.json");
  ASSERT_EQ(j.at("starts").size(), 5u);
  for (const auto& start : j.at("starts")) EXPECT_LE(j.at("energy"), start.at("energy"));
  EXPECT_EQ(j.at("groups"), j.at("starts").at(j.at("best_start").get<std::size_t>()).at("groups"));
  EXPECT_NE(o.out.find("5 starts on "), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("SCF iterations for each"), std::string::npos) << o.out;
}

}  // namespace
}  // namespace prophet
