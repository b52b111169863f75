#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "run_program.hpp"

/// `mpirun cudaprophet powder` and `pairs`; built only where there is MPI (PROPHET_MPIRUN names its mpirun).
namespace prophet {
namespace {

using test::contains;
using test::ProgramRun;
using test::readFile;
using test::Scratch;

class MpiMatter : public ::testing::Test {
 protected:
  void SetUp() override {
    test::allowRanksInContainers();
    ASSERT_EQ(s.run("structure CoO --shape cells:4,4,4 --displace 0.1 --out box.xyz").status, 0);
    ASSERT_EQ(s.run("structure CoO --shape sphere:24 --out coo.xyz").status, 0);
  }
  /// By two ranks and by one process; what they print and write, with the file OUT of each.
  ProgramRun two(const std::string& arguments) const {
    return s.runAs(PROPHET_MPIRUN " -n 2 '" PROPHET_PROGRAM "'", arguments + " --threads 1 --backend cpu");
  }
  nlohmann::json json(const std::string& name) const {
    return nlohmann::json::parse(readFile(s.path() / name));
  }
  /// The values of a command by two ranks and one process.
  void compare(const std::string& arguments,
               const std::function<std::vector<double>(const nlohmann::json&)>& values,
               double tolerance) const {
    const ProgramRun o = two(arguments + " --json two.json");
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.out, "");
    ASSERT_EQ(s.run(arguments + " --json one.json --threads 1 --backend cpu").status, 0);
    EXPECT_EQ(json("two.json").at("device"), "2 ranks, 2 x CPU, 1 thread");
    EXPECT_EQ(json("two.json").at("pairs"), json("one.json").at("pairs"));
    const auto a = values(json("two.json")), b = values(json("one.json"));
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      EXPECT_NEAR(a[i], b[i], tolerance * std::abs(b[i])) << arguments << i;
  }
  Scratch s;
};

TEST_F(MpiMatter, GivesWhatOneProcessGives) {
  const auto intensity = [](const nlohmann::json& j) { return j.at("intensity").get<std::vector<double>>(); };
  const std::string powder = "powder coo.xyz --q 0:8:0.5 --form-factors constant";
  compare(powder, intensity, 1e-12);
  compare(powder + " --exact-below 6", intensity, 1e-11);
  compare(powder + " --method direct --precision double", intensity, 1e-11);
  // A stray atom, for which close pairs are summed one by one: the same ones by all ranks.
  std::string stray = readFile(s.path() / "coo.xyz");
  const auto atoms = std::stoul(stray);
  stray = std::to_string(atoms + 1) + stray.substr(stray.find('\n')) + "Co 1e6 0 0\n";
  s.write("stray.xyz", stray);
  compare("powder stray.xyz --q 0:8:0.5 --form-factors constant", intensity, 1e-11);
  EXPECT_TRUE(json("two.json").contains("exact_below"));
  EXPECT_LE(json("two.json").at("error_bound").get<double>(), 1e-6);
  const auto column = [](const char* name) {
    return [name](const nlohmann::json& j) { return j.at("columns").at(name).get<std::vector<double>>(); };
  };
  // Numbers of pairs: not a digit differs.
  compare("pairs box.xyz --bins 200", column("g_Co-O"), 0);
  compare("pairs box.xyz --sq 1:5:0.5", column("S"), 0);
}

TEST_F(MpiMatter, PrintsTheTableOnce) {
  const ProgramRun o = two("powder coo.xyz --q 1:2:0.5 --form-factors constant");
  ASSERT_EQ(o.status, 0) << o.err;
  const std::size_t first = o.out.find("\nq,intensity\n");
  EXPECT_NE(first, std::string::npos) << o.out;
  EXPECT_EQ(first, o.out.rfind("\nq,intensity\n")) << o.out;
}

TEST_F(MpiMatter, AnErrorEndsAllRanksWithOneMessage) {
  s.write("bad.xyz", "2\n\nCo 0 0 0\nO 1 2\n");
  // The second frame is broken, after the first has been counted.
  s.write("late.xyz", "2\n\nCo 0 0 0\nO 1 2 3\n2\n\nCo 0 0 0\nO 1 2\n");
  struct Case {
    std::string arguments;
    int status;
    std::string message;
  };
  for (const Case& c :
       {Case{"powder bad.xyz --csv o.csv", 2, "bad.xyz:4: error: "},
        Case{"pairs bad.xyz --csv o.csv", 2, "bad.xyz:4: error: "},
        Case{"pairs late.xyz --csv o.csv", 2, "late.xyz:8: error: "},
        Case{"powder late.xyz --csv o.csv", 2, "late.xyz:8: error: "},
        Case{"powder coo.xyz --csv o.csv --form-factors constant --b-iso Fe=1", 2, "--b-iso names Fe"},
        Case{"powder coo.xyz --csv none/o.csv --form-factors constant", 2, "none/o.csv"},
        Case{"powder coo.xyz --method fast", 2, "--method: found 'fast'"},
        Case{"pairs box.xyz --mpi maybe", 2, "--mpi takes auto, on or off"}}) {
    const ProgramRun o = two(c.arguments);
    EXPECT_EQ(o.status, c.status) << c.arguments << o.err;
    const std::size_t first = o.err.find(c.message);
    EXPECT_NE(first, std::string::npos) << c.arguments << o.err;
    EXPECT_EQ(first, o.err.rfind(c.message)) << o.err;
    EXPECT_FALSE(std::filesystem::exists(s.path() / "o.csv")) << c.arguments;
  }
}

/// What only the first rank does, amplitudes and writing, may fail too.
TEST_F(MpiMatter, AnErrorOfTheFirstRankEndsAll) {
  s.write("rn.xyz", "2\n\nRn 0 0 0\nRn 1 2 3\n");
  const ProgramRun o = two("powder rn.xyz --form-factors neutron --csv o.csv");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "Rn")) << o.err;
  EXPECT_FALSE(std::filesystem::exists(s.path() / "o.csv"));
}

TEST_F(MpiMatter, WithMpiOffEveryProcessIsByItself) {
  const ProgramRun o = two("pairs box.xyz --bins 3 --mpi off");
  ASSERT_EQ(o.status, 0) << o.err;
  const std::size_t first = o.out.find("r,g,");
  EXPECT_NE(first, o.out.rfind("r,g,")) << o.out;
}

}  // namespace
}  // namespace prophet
