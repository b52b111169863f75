#include <gtest/gtest.h>

#include <fstream>

#include "run_program.hpp"

namespace prophet {
namespace {

using test::contains;
using test::ProgramRun;
using test::Scratch;

/// Sets of a small table of sizes, then as a folder of sets for an energy.
TEST(TierCommand, MakesSetsThatAnEnergyCanUse) {
  const Scratch s;
  std::ofstream(s.path() / "own.csv") << "Z,small\n2,5\n4,8\n";
  const ProgramRun made = s.run("tier small --sizes own.csv --elements He,Be --out sets");
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_TRUE(contains(made.out, "2 elements, 0 without a set")) << made.out;
  const std::string file = test::readFile(s.path() / "sets/004-Be.basis");
  EXPECT_TRUE(contains(file, "format        = 2")) << file;
  EXPECT_TRUE(contains(file, "sizes small of own.csv")) << file;
  EXPECT_TRUE(contains(file, "\nprolapse      = ")) << file;
  std::ofstream(s.path() / "be.inp") << "Be\n$nuc znuc=4 $end\n$bas library='./sets' $end\n";
  const ProgramRun energy = s.run("be.inp --quiet");
  EXPECT_EQ(energy.status, 0) << energy.err;
  // Of the published set with 10 functions -14.57553; with 8 a little less is found.
  EXPECT_TRUE(contains(energy.out, "-14.57")) << energy.out;
  // The folder itself is the user's too, by whichever name.
  s.write("004-Be.basis", file);
  for (const char* name : {".", "./"})
    EXPECT_TRUE(contains(s.run(std::string("energy Be --verbose --basis ") + name).out, "./004-Be.basis, Be"))
        << name;
  const ProgramRun again = s.run("tier small --sizes own.csv --elements He,Be --out sets --resume");
  EXPECT_EQ(again.status, 0);
  EXPECT_TRUE(contains(again.out, "exists already")) << again.out;
}

TEST(TierCommand, SaysWhatItNeeds) {
  const Scratch s;
  for (const char* line : {"tier", "tier dz", "tier dz tz --out a", "tier --out a",
                           "tier dz --out a --prolapse 0", "tier --threshold 5e-9 --sizes x.csv --out a"}) {
    const ProgramRun o = s.run(line);
    EXPECT_EQ(o.status, 2) << line << o.out << o.err;
  }
  // Nor are other columns of the table of sizes tiers, of which numbers of functions would be read.
  for (const std::string tier : {"6z", "Z", "dz_lack"}) {
    const ProgramRun unknown = s.run("tier " + tier + " --elements He --out a");
    EXPECT_EQ(unknown.status, 2);
    EXPECT_TRUE(contains(unknown.err, "there is no tier '" + tier + "';")) << unknown.err;
    EXPECT_TRUE(contains(unknown.err, "available: dz, tz, qz, 5z\n")) << unknown.err;
  }
  s.write("twice.csv", "Z,small,small\n2,5,6\n");
  const ProgramRun twice = s.run("tier small --sizes twice.csv --elements He --out a");
  EXPECT_EQ(twice.status, 2);
  EXPECT_TRUE(contains(twice.err, "twice.csv:1: error: the column 'small' is there twice")) << twice.err;
  const ProgramRun nowhere = s.run("tier dz --optimise correlating --from nothing --out a");
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_TRUE(contains(nowhere.err, "no collection of basis sets is called 'nothing'")) << nowhere.err;
}

/// The recipe of docs/how-to/tiers.md: each run starts from the folder of the one before.
TEST(TierCommand, GoesOnFromTheFoldersThatItMade) {
  const Scratch s;
  s.write("own.csv", "Z,small,large\n2,5,6\n");
  s.write("functions.csv", "Z,small\n2,1p\n");
  ASSERT_EQ(s.run("tier small --sizes own.csv --elements He --out first").status, 0);
  const ProgramRun second = s.run(
      "tier small --optimise correlating --sizes functions.csv --from first --elements He --out second");
  ASSERT_EQ(second.status, 0) << second.out << second.err;
  const std::string made = test::readFile(s.path() / "second/002-He.basis");
  EXPECT_TRUE(contains(made, "functions for correlation of least energy of second order")) << made;
  EXPECT_TRUE(contains(made, "polarisation p = ")) << made;
  // 5 s functions and the p function.
  const ProgramRun exported = s.run("basis export He --library ./second --format nwchem");
  EXPECT_EQ(exported.status, 0) << exported.err;
  EXPECT_TRUE(contains(exported.out, "(5s,1p) -> [5s,1p]")) << exported.out;
  EXPECT_TRUE(contains(s.run("basis export He --library ./third --format nwchem").err,
                       "there is no folder './third'"));

  // Finished sets of another request are not taken for what is asked for.
  const auto refused = [&](const std::string& line, const std::string& why) {
    const ProgramRun o = s.run(line + " --elements He --resume");
    EXPECT_EQ(o.status, 3) << line << o.out;
    EXPECT_TRUE(contains(o.out, why)) << line << o.out;
  };
  refused("tier large --sizes own.csv --out first", "it is not one of the sizes large of own.csv");
  refused("tier small --sizes own.csv --threshold 1e-3 --out first",
          "it is not one of the sizes small of own.csv and more");
  refused("tier small --sizes own.csv --prolapse 0.01 --out first", "another limit of the prolapse");
  s.write("functions.csv", "Z,small\n2,2p\n");
  refused("tier small --optimise correlating --sizes functions.csv --from first --out second",
          "its numbers of functions are not those of the tier");
  s.write("functions.csv", "Z,small\n2,1p\n");
  refused("tier small --optimise correlating --sizes functions.csv --from prophet-dz --out second",
          "the atom's functions are not those of prophet-dz");
  s.write("own.csv", "Z,small,large\n2,6,6\n");
  refused("tier small --sizes own.csv --out first",
          "its numbers of functions are not those of the sizes small");
}

/// What the five searches make one after another, in one run: the same file.
TEST(TierCommand, MakesAllPartsInOneRun) {
  const Scratch s;
  ASSERT_EQ(s.run("tier dz --optimise all --elements Li,Ne --out whole/sets").status, 0);
  std::string from;
  for (const char* part : {"set", "correlating", "core-valence", "diffuse", "core-density"}) {
    const std::string folder = std::string(part) + "/sets";
    const ProgramRun o =
        s.run("tier dz --elements Li,Ne --optimise " + std::string(part) + from + " --out " + folder);
    ASSERT_EQ(o.status, 0) << o.out << o.err;
    from = " --from " + folder;
  }
  for (const char* file : {"003-Li.basis", "010-Ne.basis"})
    EXPECT_EQ(test::readFile(s.path() / "whole/sets" / file),
              test::readFile(s.path() / "core-density/sets" / file));
  EXPECT_TRUE(contains(s.run("tier dz --optimise all --elements Ne --out whole/sets --resume").out,
                       "exists already"));
  // A set that lacks a part is not a finished one.
  const ProgramRun lacking = s.run("tier dz --optimise all --elements Ne --out diffuse/sets --resume");
  EXPECT_EQ(lacking.status, 3) << lacking.out;
  EXPECT_TRUE(contains(lacking.out, "it has no functions for the density at the nucleus")) << lacking.out;
  for (const auto& [line, why] :
       {std::pair{"tier --threshold 1e-6 --optimise all --out a", "TIER: expected the tier"},
        {"tier dz --optimise all --sizes own.csv --out a", "--sizes: a table has the numbers of one part"}}) {
    const ProgramRun o = s.run(line);
    EXPECT_EQ(o.status, 2) << line;
    EXPECT_TRUE(contains(o.err, why)) << o.err;
  }
}

}  // namespace
}  // namespace prophet
