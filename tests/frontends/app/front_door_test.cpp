#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace prophet {
namespace {

using test::contains;
using test::ProgramRun;
using test::Scratch;

long linesOf(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

TEST(FrontDoor, TheNameAloneSaysWhatToTypeNext) {
  const Scratch s;
  const ProgramRun o = s.run("");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(o.out.empty());
  EXPECT_LE(linesOf(o.err), 12) << o.err;
  for (const char* part : {"cudaprophet Rn", "cudaprophet help", "docs/index.md"})
    EXPECT_TRUE(contains(o.err, part)) << o.err;
}

TEST(FrontDoor, AFirstWordThatIsNoCommandIsAnAtom) {
  const Scratch s;
  const auto says = [&](const std::string& words, const std::string& part) {
    const ProgramRun o = s.run(words);
    EXPECT_EQ(o.status, 2) << words;
    EXPECT_TRUE(contains(o.err, part)) << words << ": " << o.err;
  };
  says("Fe++", "write Fe2+");
  says("Fe26+", "the last one with an electron is Fe25+");
  says("0", "found 0; expected a number, more than 0");
  says("Rn210", "an isotope is Rn with --mass 210");
  says("iron", "the symbol of iron is Fe; write Fe");
  says("irn", "write Fe");
  says("Uuo", "the symbol of oganesson is Og; write Og");
  says("energy aluminum", "write Al");
  says("D", "write H with --mass 2");
  says("Xx", "there is no element 'Xx'");
  says("nofile.txt", "must end in .inp");
}

TEST(FrontDoor, EveryMisspeltWordGetsASuggestion) {
  const Scratch s;
  const auto says = [&](const std::string& words, const std::string& part) {
    const ProgramRun o = s.run(words);
    EXPECT_EQ(o.status, 2) << words;
    EXPECT_TRUE(contains(o.err, part)) << words << ": " << o.err;
  };
  says("energy C --quite", "did you mean '--quiet'?");
  says("energy C --qed", "--qedvp, --qedse, --qedscf");
  says("C --functional b3lpy", "did you mean b3lyp?");
  says("basis show Au --basis prophet-tx", "did you mean 'prophet-t");
  says("energy Fe --config [Ar] 3d6 4s2", "quote texts with blanks");
  EXPECT_EQ(s.run("explain breit").out, s.run("--explain breit").out);
}

TEST(FrontDoor, TheShortHelpFitsOnAScreenAndSaysWhereTheRestIs) {
  const Scratch s;
  for (const char* command : {"energy", "levels", "lines", "correlation", "batch", "compare", "basis show"}) {
    const std::string help = s.run(std::string(command) + " -h").out;
    EXPECT_LE(linesOf(help), 34) << help;
    EXPECT_TRUE(contains(help, "--help all' has every option")) << help;
    for (const char* old : {"ixtrp", "thdll", "wtbspara", ".true."})
      EXPECT_FALSE(contains(help, old)) << help;
  }
  const std::string energy = s.run("energy -h").out;
  for (const char* part : {"Examples:", "Atom:", "Method:", "Output:", "--basis NAME|FILE"})
    EXPECT_TRUE(contains(energy, part)) << energy;
  EXPECT_TRUE(contains(s.run("energy --help all").out, "--ixtrp"));
}

TEST(FrontDoor, OneOptionNamesABasisSetOrAFile) {
  const Scratch s;
  ASSERT_EQ(s.run("basis export Ne --basis prophet-tz --format nwchem -o ne.nw").status, 0);
  const std::string old = s.run("energy Ne --bastype file --file ne.nw --nucleus gaussian -q").out;
  EXPECT_FALSE(old.empty());
  EXPECT_EQ(s.run("energy Ne --basis ne.nw --nucleus gaussian -q").out, old);
  EXPECT_EQ(s.run("energy Ne --file ne.nw --nucleus gaussian -q").out, old);
  EXPECT_EQ(s.run("energy Ne --basis prophet-tz -q").out, s.run("energy Ne --library prophet-tz -q").out);
  EXPECT_EQ(s.run("energy Ne --basis none.nw").status, 2);
  EXPECT_EQ(s.run("energy Ne --basis prophet-tz --library prophet-tz").status, 2);
  const std::string list = s.run("basis list").out;
  EXPECT_TRUE(contains(list, "prophet-tz") && contains(list, "H to Og")) << list;
  EXPECT_TRUE(contains(list, "contracted/prophet-dz-amf.json")) << list;
}

TEST(FrontDoor, OutputsHaveTheFormatOfTheirEnding) {
  const Scratch s;
  ASSERT_EQ(s.run("energy Ne -o ne.json -j 1").status, 0);
  EXPECT_EQ(nlohmann::json::parse(test::readFile(s.path() / "ne.json")).at("operation"), "energy");
  ASSERT_EQ(s.run("levels C --output c.csv").status, 0);
  const std::string table = test::readFile(s.path() / "c.csv");
  EXPECT_TRUE(contains(table, ",A_MHz,B_MHz,nist_cm-1")) << table;
  const ProgramRun text = s.run("energy Ne -o ne.txt");
  EXPECT_TRUE(text.out.empty());
  EXPECT_TRUE(contains(test::readFile(s.path() / "ne.txt"), "total energy") ||
              contains(test::readFile(s.path() / "ne.txt"), "hartree"));
  ASSERT_EQ(s.run("batch --elements He -o he.jsonl").status, 0);
  EXPECT_TRUE(contains(test::readFile(s.path() / "he.jsonl"), "\"id\""));
  EXPECT_EQ(s.run("energy Ne -o ne.doc").status, 2);
  EXPECT_EQ(s.run("energy Ne -o a.json --json b.json").status, 2);
}

TEST(FrontDoor, SwitchesNeedNoValue) {
  const Scratch s;
  const std::string whole = s.run("energy Ne --breit breit -q").out;
  for (const char* words : {"energy Ne --breit -q", "energy --breit Ne -q", "Ne --breit yes -q"})
    EXPECT_EQ(s.run(words).out, whole) << words;
  EXPECT_EQ(s.run("Ne --breit no -q").out, s.run("Ne -q").out);
  EXPECT_EQ(s.run("Ne --breit --breitscf -q").out, s.run("Ne --breit breit --breitscf .true. -q").out);
}

TEST(FrontDoor, StatusesFollowOneRule) {
  const Scratch s;
  for (const char* words :
       {"powder none.xyz --q 1", "pairs none.xyz", "madelung none.cif", "basis show Au --basis foo",
        "energy C --json none/x.json", "correlation Na --valence 3s", "compare none.json other.json"})
    EXPECT_EQ(s.run(words).status, 2) << words;
  EXPECT_EQ(s.run("energy Ne --maxitr 2").status, 3);
}

TEST(FrontDoor, ABatchAndAComparisonNeedNoFiles) {
  const Scratch s;
  const ProgramRun batch = s.run("batch --elements He,Ne");
  EXPECT_EQ(batch.status, 0) << batch.err;
  EXPECT_TRUE(contains(batch.out, "-128.69") && contains(batch.out, "1s2")) << batch.out;
  const ProgramRun pair = s.run("compare Na Na+");
  EXPECT_EQ(pair.status, 0) << pair.err;
  EXPECT_TRUE(contains(pair.out, "ionisation energy of Na (3s)")) << pair.out;
  EXPECT_TRUE(s.run("formfactor Ne --q 0,1 -q").out.empty());
}

}  // namespace
}  // namespace prophet
