#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

using test::contains;
using test::ProgramRun;
using test::readFile;
using test::Scratch;

const char* const kNeonFile = "Neon\n$nuc znuc=10 $end\n";
const char* const kXyz = "2\ntwo atoms\nNa 0 0 0\nCl 2.8 0 0\n";
const char* const kCrystal =
    "2\nLattice=\"4 0 0 0 4 0 0 0 4\" Properties=species:S:1:pos:R:3\nNa 0 0 0\nCl 2 2 2\n";
const char* const kSet =
    R"({"elements": {"10": {"electron_shells": [{"angular_momentum": [0], "exponents": ["900", "130", "28", "7", "2", "0.5"],
"coefficients": []}, {"angular_momentum": [1], "exponents": ["60", "14", "4", "1.2", "0.4"], "coefficients": []}]}}})";
const char* const kStl =
    "solid s\nfacet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\n"
    "facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\n"
    "facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet\n"
    "facet normal 1 1 1\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid "
    "s\n";

/// A folder with an input of every kind.
class Inputs : public Scratch {
 public:
  Inputs() {
    write("ne.inp", kNeonFile);
    write("list", "ne.inp\n");
    write("a.xyz", kXyz);
    write("c.xyz", kCrystal);
    write("b.json", kSet);
    write("an.csv", "Na,0.1,0.2\nCl,0.1,0.2\n");
    write("s.stl", kStl);
    write("radii", "0.1\n0.2\n");
    write("set.inp", "Ne\n$nuc znuc=10 $end\n$bas bastype='file' file='b.json' $end\n");
    write("crystal.inp",
          "Na+\n$nuc znuc=11 $end\n$electrons charge=1 $end\n$crystal file='c.xyz' site='Na' "
          "charges='Na=1,Cl=-1' $end\n");
    for (const char* name : {"r1.json", "r2.json"})
      EXPECT_EQ(run(std::string("ne.inp -q --json ") + name).status, 0);
  }
};

struct Overwrite {
  const char *command, *input;
};

std::ostream& operator<<(std::ostream& out, const Overwrite& o) { return out << o.command; }

class OutputsOverInputs : public ::testing::TestWithParam<Overwrite> {};

/// Also by a link, and by another way to the same file.
TEST_P(OutputsOverInputs, AreRefusedAndNothingIsLost) {
  const Inputs s;
  const auto [command, input] = GetParam();
  const std::string before = readFile(s.path() / input);
  ASSERT_FALSE(before.empty()) << input;
  fs::create_symlink(input, s.path() / "soft");
  fs::create_hard_link(s.path() / input, s.path() / "hard");
  fs::create_directory(s.path() / "folder");
  for (const std::string& name : {std::string(input), std::string("soft"), std::string("hard"),
                                  std::string("folder/../") + input, (s.path() / input).string()}) {
    const ProgramRun o = s.run(std::string(command) + " " + name);
    EXPECT_EQ(o.status, 2) << command << " " << name << "\n" << o.err;
    EXPECT_TRUE(contains(o.err, "would overwrite")) << o.err;
    EXPECT_EQ(readFile(s.path() / input), before) << command << " " << name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Commands, OutputsOverInputs,
    ::testing::Values(
        Overwrite{"ne.inp -q --json", "ne.inp"}, Overwrite{"ne.inp -q --orbitals", "ne.inp"},
        Overwrite{"ne.inp -q --orbital-grid radii --orbitals", "radii"},
        Overwrite{"set.inp -q --json", "b.json"}, Overwrite{"crystal.inp -q --json", "c.xyz"},
        Overwrite{"batch ne.inp --csv", "ne.inp"}, Overwrite{"batch ne.inp --json-lines", "ne.inp"},
        Overwrite{"batch --jobs-file list --csv", "list"},
        Overwrite{"batch --jobs-file list --json-lines", "list"},
        Overwrite{"batch --jobs-file list --csv", "ne.inp"}, Overwrite{"batch set.inp --csv", "b.json"},
        Overwrite{"compare r1.json r2.json --csv", "r2.json"}, Overwrite{"structure c.xyz -o", "c.xyz"},
        Overwrite{"madelung c.xyz --charges Na=1,Cl=-1 --json", "c.xyz"},
        Overwrite{"pairs a.xyz --csv", "a.xyz"}, Overwrite{"pairs a.xyz --json", "a.xyz"},
        Overwrite{"powder a.xyz --csv", "a.xyz"},
        Overwrite{"powder a.xyz --anomalous an.csv --csv", "an.csv"},
        Overwrite{"shape s.stl --q-grid 1,1,1 --hdf5", "s.stl"},
        Overwrite{"shape s.stl --alpha-i 0.2 --alpha-f 0:2:3 --two-theta-f -1:1:3 --wavelength 1 --png",
                  "s.stl"},
        Overwrite{"basis import b.json -o", "b.json"},
        Overwrite{"basis export b.json --format nwchem -o", "b.json"},
        Overwrite{"basis contract b.json --format nwchem -o", "b.json"},
        Overwrite{"basis audit b.json --csv", "b.json"}, Overwrite{"basis audit b.json --json", "b.json"}));

class TwoOutputs : public ::testing::TestWithParam<const char*> {};

TEST_P(TwoOutputs, MayNotBeOneFileUnderTwoNames) {
  const Inputs s;
  fs::create_symlink("new", s.path() / "link");  // neither exists
  fs::create_directory(s.path() / "folder");
  for (const char* other : {"new", "./new", "link", "folder/../new"}) {
    std::string command = GetParam();
    command.replace(command.find('@'), 1, other);
    const ProgramRun o = s.run(command);
    EXPECT_EQ(o.status, 2) << command << o.err;
    EXPECT_TRUE(contains(o.err, "name the same file")) << o.err;
    EXPECT_FALSE(fs::exists(s.path() / "new")) << command;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Commands, TwoOutputs,
    ::testing::Values("ne.inp -q --json new --orbitals @", "ne.inp -q --json new --hdf5 @",
                      "batch ne.inp --csv new --json-lines @", "batch ne.inp --csv new --hdf5 @",
                      "pairs a.xyz --csv new --json @", "powder a.xyz --csv new --hdf5 @",
                      "formfactor Ne --csv new --json @", "basis audit b.json --csv new --json @",
                      "validate --elements He --csv new --json @"));

TEST(CommandFiles, OutputsAreTriedBeforeTheWork) {
  const Inputs s;
  for (const char* command :
       {"ne.inp --json nowhere/a.json", "ne.inp --hdf5 nowhere/a.h5", "ne.inp --orbitals nowhere/a.csv",
        "batch --elements Ne --csv nowhere/a.csv", "pairs a.xyz --csv nowhere/a.csv",
        "powder a.xyz --json nowhere/a", "formfactor Ne --csv nowhere/a",
        "madelung c.xyz --charges Na=1,Cl=-1 --json nowhere/a", "structure c.xyz -o nowhere/a",
        "compare r1.json r2.json --csv nowhere/a", "basis audit b.json --csv nowhere/a",
        "validate --elements He --json nowhere/a", "basis export Ne --format nwchem -o nowhere/a",
        "shape --sphere 5 --q-grid 1,1,1 --hdf5 nowhere/a.h5"}) {
    const ProgramRun o = s.run(command);
    EXPECT_EQ(o.status, 2) << command << o.err;
    EXPECT_TRUE(contains(o.err, "cannot write 'nowhere/a")) << command << o.err;
    EXPECT_TRUE(contains(o.err, "No such file or directory")) << command << o.err;
    EXPECT_TRUE(o.out.empty()) << command << o.out;
  }
}

TEST(CommandFiles, AMinusIsStandardOutput) {
  const Inputs s;
  const auto json = [&](const char* command) {
    const ProgramRun o = s.run(command);
    EXPECT_EQ(o.status, 0) << command << o.err;
    EXPECT_FALSE(fs::exists(s.path() / "-")) << command;
    return nlohmann::json::parse(o.out, nullptr, false);
  };
  EXPECT_NEAR(json("ne.inp --json -").at("energy").get<double>(), -128.69, 0.01);
  EXPECT_TRUE(contains(s.run("ne.inp --json -").err, "total energy"));  // the report is not lost
  EXPECT_TRUE(json("madelung c.xyz --charges Na=1,Cl=-1 --json -").contains("madelung_constant"));
  EXPECT_TRUE(json("pairs a.xyz --json -").contains("columns"));
  EXPECT_EQ(json("batch --elements Ne --json-lines -").at("id"), "Ne");
  const ProgramRun table = s.run("batch --elements Ne,Ar --csv - --backend cpu");
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_EQ(std::count(table.out.begin(), table.out.end(), '\n'), 4) << table.out;
  EXPECT_EQ(s.run("formfactor Ne --q 0,1 --csv -").out.substr(0, 2), "# ");
  EXPECT_EQ(s.run("structure c.xyz --out -").out, s.run("structure c.xyz").out);
  EXPECT_EQ(s.run("ne.inp -q --orbitals - --orbital-grid radii").status, 0);
  // What makes no sense is refused.
  for (const char* command :
       {"ne.inp --hdf5 -", "ne.inp --json - --orbitals -", "shape --sphere 5 --q-grid 1,1,1 --hdf5 -",
        "batch --elements Ne --json-lines - --resume"}) {
    EXPECT_EQ(s.run(command).status, 2) << command;
  }
  EXPECT_FALSE(fs::exists(s.path() / "-"));
}

TEST(CommandFiles, AFullStandardOutputIsAnError) {
  const Inputs s;
  const ProgramRun o = s.runAs("{ '" PROPHET_PROGRAM "' ne.inp -q --json - >/dev/full; }", "");
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(contains(o.err, "cannot write to standard output: No space left on device")) << o.err;
}

TEST(CommandFiles, StandardInputAndPipesAreInputs) {
  const Inputs s;
  const std::string fromFile = s.run("ne.inp -q").out;
  ASSERT_FALSE(fromFile.empty());
  EXPECT_EQ(s.run("- -q < ne.inp").out, fromFile);
  EXPECT_EQ(s.runAs("cat ne.inp | '" PROPHET_PROGRAM "'", "/dev/stdin -q").out, fromFile);
  const ProgramRun wrong = s.runAs("echo 'Ne\n$nuc znuc=Q $end' | '" PROPHET_PROGRAM "'", "-");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(contains(wrong.err, "standard input:2:")) << wrong.err;
  const ProgramRun chain =
      s.runAs("echo 'He\n$contrl jobtype=\"chain\" $end\n$nuc znuc=2 $end' | '" PROPHET_PROGRAM "'", "-");
  EXPECT_EQ(chain.status, 2);
  EXPECT_TRUE(contains(chain.err, "give the input as a file")) << chain.err;
}

TEST(CommandFiles, ARestartMayBeReplacedByItsResultButNotByOneOfMany) {
  const Inputs s;
  const ProgramRun first = s.run("ne.inp -q --hdf5 x.h5");
  if (contains(first.err, "without HDF5")) GTEST_SKIP() << "built without HDF5";
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(s.run("ne.inp -q --restart x.h5 --hdf5 x.h5").status, 0);
  EXPECT_EQ(s.run("ne.inp -q --restart x.h5").status, 0);  // it is whole
  EXPECT_EQ(s.run("ne.inp -q --restart x.h5 --json x.h5").status, 2);
  ASSERT_EQ(s.run("batch --elements Ne,Ar --csv t.csv --hdf5 many.h5 --backend cpu").status, 0);
  EXPECT_EQ(s.run("ne.inp -q --restart many.h5:Ne --hdf5 many.h5").status, 2);
}

TEST(CommandFiles, AShapeTouchesNoForeignFile) {
  const Inputs s;
  const std::string shape = "shape --sphere 5 --q-grid 0:1:3,0,0 --hdf5 s.h5";
  s.write("s.h5.parts", "somebody's notes");
  const ProgramRun foreign = s.run(shape);
  if (contains(foreign.err, "without HDF5")) GTEST_SKIP() << "built without HDF5";
  EXPECT_EQ(foreign.status, 2);
  EXPECT_TRUE(contains(foreign.err, "move it away")) << foreign.err;
  EXPECT_FALSE(contains(foreign.err, "HDF5-DIAG")) << foreign.err;
  EXPECT_EQ(readFile(s.path() / "s.h5.parts"), "somebody's notes");
  fs::remove(s.path() / "s.h5.parts");
  s.write("victim", "precious");
  fs::create_symlink("victim", s.path() / "s.h5.parts");
  EXPECT_EQ(s.run(shape).status, 2);
  EXPECT_EQ(readFile(s.path() / "victim"), "precious");
  fs::remove(s.path() / "s.h5.parts");
  // The result's own link is followed and stays.
  fs::create_symlink("real.h5", s.path() / "s.h5");
  const ProgramRun o = s.run(shape);
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(fs::is_symlink(s.path() / "s.h5"));
  EXPECT_TRUE(fs::is_regular_file(s.path() / "real.h5"));
}

TEST(CommandFiles, ABestSetOfSomebodyElseIsKept) {
  const Inputs s;
  s.write("o.inp",
          "He\n$contrl jobtype='bsopt' $end\n$nuc znuc=2 $end\n$bas bastype='wtbs' $end\n"
          "$wtbs wtbspara=0.08,1.95,4.5,1.5 nbs=8 $end\n$newuoa maxfun=3 $end\n");
  s.write("o.inp.best", "my notes\n");
  const ProgramRun o = s.run("o.inp");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "move it away")) << o.err;
  EXPECT_EQ(readFile(s.path() / "o.inp.best"), "my notes\n");
  fs::remove(s.path() / "o.inp.best");
  EXPECT_EQ(s.run("o.inp -q").status, 0);
  fs::remove(s.path() / "o.inp.bsopt");
  EXPECT_EQ(s.run("o.inp -q").status, 0) << "its own one is replaced";
}

TEST(CommandFiles, TextThatIsNotUtf8LosesNothing) {
  const Inputs s;
  s.write("b\xE4r.xyz", "2\nB\xE4r, \xC5\nNa 0 0 0\nCl 2.8 0 0\n");
  s.write("b\xE4r.inp", kNeonFile);
  const auto parsed = [&](const std::string& command, const char* file) {
    const ProgramRun o = s.run(command);
    EXPECT_EQ(o.status, 0) << command << o.err;
    return nlohmann::json::parse(readFile(s.path() / file), nullptr, false);
  };
  EXPECT_EQ(parsed("powder 'b\xE4r.xyz' --form-factors constant --json p.json", "p.json").at("title"),
            "B\u00E4r, \u00C5");
  EXPECT_EQ(parsed("pairs 'b\xE4r.xyz' --json g.json", "g.json").at("file"), "b\u00E4r.xyz");
  EXPECT_EQ(parsed("'b\xE4r.inp' -q --json n.json", "n.json").at("input"), "b\u00E4r.inp");
  EXPECT_EQ(s.run("powder 'b\xE4r.xyz' --form-factors constant --csv p.csv").status, 0);
  const std::string batch = "batch 'b\xE4r.inp' --csv t.csv --json-lines l.jsonl --backend cpu";
  ASSERT_EQ(s.run(batch).status, 0);
  EXPECT_TRUE(contains(readFile(s.path() / "t.csv"), "b\u00E4r.inp,Ne")) << readFile(s.path() / "t.csv");
  const ProgramRun again = s.run(batch + " --resume");
  EXPECT_TRUE(contains(again.out, "1 from an earlier run")) << again.out;
}

TEST(CommandFiles, ResumingForTheResultFileWritesNoLineTwice) {
  const Inputs s;
  const std::string batch = "batch --elements He,Be,Ne --json-lines l.jsonl --hdf5 r.h5 --backend cpu";
  const ProgramRun first = s.run(batch);
  if (contains(first.err, "without HDF5")) GTEST_SKIP() << "built without HDF5";
  ASSERT_EQ(first.status, 0) << first.err;
  const std::string lines = readFile(s.path() / "l.jsonl");
  fs::remove(s.path() / "r.h5");  // as a kill before it is written leaves it
  ASSERT_EQ(s.run(batch + " --resume").status, 0);
  EXPECT_EQ(readFile(s.path() / "l.jsonl"), lines);
  EXPECT_TRUE(fs::exists(s.path() / "r.h5"));
}

TEST(CommandFiles, AFileThatMayNotGrowIsToldAndNotASignal) {
  const Inputs s;
  const ProgramRun o = s.runAs("ulimit -f 1; '" PROPHET_PROGRAM "'", "ne.inp -q --orbitals o.csv");
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(contains(o.err, "File too large")) << o.err;
}

TEST(CommandFiles, ALimitOfThreadsIsExplained) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become a user without processes";
  const Scratch s;
  fs::permissions(s.path(), fs::perms::all);
  const ProgramRun o =
      s.runAs("setpriv --reuid=65534 --clear-groups bash -c \"ulimit -u 1 && exec '" PROPHET_PROGRAM
              "' batch --elements He,Ne --csv t.csv --threads 4\"",
              "");
  if (o.status == 126 || o.status == 127 || contains(o.err, "ulimit: ")) GTEST_SKIP() << o.err;
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(contains(o.err, "use fewer --threads")) << o.err;
}

}  // namespace
}  // namespace prophet
