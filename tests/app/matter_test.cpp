#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "common/csv.hpp"
#include "run_program.hpp"

namespace prophet {
namespace {

using testing::contains;
using testing::readFile;
using testing::Scratch;

std::vector<CsvRow> csv(const Scratch& s, const std::string& name) {
  return readCsv((s.path() / name).string());
}

TEST(Powder, TheCommandsOfTheIssue) {
  const Scratch s;
  ASSERT_EQ(s.run("structure CoO --shape sphere:20 --out coo.xyz").status, 0);
  // Not into the cache of whoever runs the tests.
  auto o =
      s.runAs("CUDAPROPHET_CACHE=cache '" PROPHET_PROGRAM "'", "powder coo.xyz --q 0.2:10:0.01 --csv iq.csv");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out, "");
  EXPECT_TRUE(std::filesystem::exists(s.path() / "cache/form-factors/Co.json"));
  const auto rows = csv(s, "iq.csv");
  ASSERT_EQ(rows.size(), 982u);
  EXPECT_EQ(rows[0].fields, (std::vector<std::string>{"q", "intensity"}));
  EXPECT_EQ(rows[1].fields[0], "0.2");
  EXPECT_EQ(rows[981].fields[0], "10");
  o = s.run(
      "powder coo.xyz --q 0.2:10:0.01 --method direct --precision double --form-factors waasmaier-kirfel "
      "--csv wk.csv");
  ASSERT_EQ(o.status, 0) << o.err;
  const auto fits = csv(s, "wk.csv");
  for (std::size_t i = 1; i < rows.size(); i += 20) {
    const double a = std::stod(rows[i].fields[1]), b = std::stod(fits[i].fields[1]);
    EXPECT_NEAR(a, b, 0.02 * b + 20) << rows[i].fields[0];
  }
}

TEST(Powder, WritesEveryFormat) {
  const Scratch s;
  ASSERT_EQ(s.run("structure Cu --shape sphere:12 --displace 0.1 --out cu.xyz").status, 0);
  const auto o = s.run(
      "powder cu.xyz --q 1:3:0.5 --form-factors neutron --wavelength 1.5406 --b-iso Cu=0.5 --csv a.csv "
      "--json a.json");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(csv(s, "a.csv")[0].fields, (std::vector<std::string>{"q", "intensity", "two_theta"}));
  const auto json = nlohmann::json::parse(readFile(s.path() / "a.json"));
  EXPECT_EQ(json.at("q").size(), 5u);
  EXPECT_EQ(json.at("form_factors"), "neutron");
  EXPECT_EQ(std::stod(csv(s, "a.csv")[2].fields[1]), json.at("intensity").at(1).get<double>());
  EXPECT_LE(json.at("error_bound").get<double>(), 1e-6);
  // Without a file the table is printed.
  const auto printed = s.run("powder cu.xyz --q 1:3:0.5 --form-factors constant");
  EXPECT_TRUE(contains(printed.out, "\nq,intensity\n1,")) << printed.out;
}

TEST(Powder, SumsClosePairsOneByOne) {
  const Scratch s;
  ASSERT_EQ(s.run("structure Cu --shape sphere:16 --displace 0.1 --out cu.xyz").status, 0);
  const std::string powder = "powder cu.xyz --q 0.5:20:0.5 --form-factors constant ";
  const auto patternOf = [&](const std::string& options) {
    const auto o = s.run(powder + options + " --json a.json");
    EXPECT_EQ(o.status, 0) << o.err;
    return nlohmann::json::parse(readFile(s.path() / "a.json"));
  };
  // Bins so wide that they show.
  const auto wide = patternOf("--bin-width 0.1"), close = patternOf("--bin-width 0.1 --exact-below 10.04"),
             all = patternOf("--bin-width 0.1 --exact-below 100"),
             exact = patternOf("--method direct --precision double");
  EXPECT_FALSE(wide.contains("exact_below"));
  EXPECT_NEAR(close.at("exact_below").get<double>(), 10.1, 1e-12);
  EXPECT_LT(close.at("error_bound").get<double>(), 0.5 * wide.at("error_bound").get<double>());
  const auto error = [&](const nlohmann::json& pattern) {
    double largest = 0;
    for (std::size_t i = 0; i < 40; ++i)
      largest = std::max(largest, std::abs(pattern.at("intensity")[i].get<double>() -
                                           exact.at("intensity")[i].get<double>()));
    return largest;
  };
  EXPECT_LT(error(close), 0.5 * error(wide));
  EXPECT_LT(error(all), 1e-8);
  EXPECT_GT(error(close), 1e-3);
}

TEST(Pairs, TheCommandsOfTheIssue) {
  const Scratch s;
  ASSERT_EQ(s.run("structure CoO --shape cells:4,4,4 --displace 0.05 --out box.xyz").status, 0);
  auto o = s.run("pairs box.xyz --bins 300 --csv gr.csv");
  ASSERT_EQ(o.status, 0) << o.err;
  const auto g = csv(s, "gr.csv");
  ASSERT_EQ(g.size(), 301u);
  EXPECT_EQ(g[0].fields, (std::vector<std::string>{"r", "g", "g_Co-Co", "g_Co-O", "g_O-O"}));
  EXPECT_NEAR(std::stod(g[300].fields[0]), 2 * 4.26 * (1 - 0.5 / 300), 1e-9);
  o = s.run("pairs box.xyz --sq 0.5:25:0.05 --csv sq.csv");
  ASSERT_EQ(o.status, 0) << o.err;
  const auto f = csv(s, "sq.csv");
  ASSERT_EQ(f.size(), 492u);
  EXPECT_EQ(f[0].fields, (std::vector<std::string>{"q", "S", "S_Co-Co", "S_Co-O", "S_O-O"}));
}

TEST(Pairs, CountsNeighbours) {
  const Scratch s;
  ASSERT_EQ(s.run("structure Cu --shape cells:4,4,4 --out cu.xyz").status, 0);
  const auto o = s.run("pairs cu.xyz --bins 100 --range 3 --neighbours --reduced --csv n.csv");
  ASSERT_EQ(o.status, 0) << o.err;
  const auto rows = csv(s, "n.csv");
  EXPECT_EQ(rows[0].fields, (std::vector<std::string>{"r", "g", "g_Cu-Cu", "G", "n_Cu-Cu"}));
  EXPECT_EQ(std::stod(rows[100].fields[4]), 12);
}

TEST(Pairs, AveragesFrames) {
  const Scratch s;
  const std::string box = "Lattice=\"9 0 0 0 9 0 0 0 9\"\n", frame = "2\n" + box + "Ar 0 0 0\nAr 0 0 ";
  s.write("two.xyz", frame + "2.5\n" + frame + "3.5\n");
  const auto o = s.run("pairs two.xyz --bins 9 --range 4.5 --json t.json --csv t.csv --neighbours");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(nlohmann::json::parse(readFile(s.path() / "t.json")).at("frames"), 2);
  const auto rows = csv(s, "t.csv");
  EXPECT_EQ(std::stod(rows[6].fields[3]), 0.5);
  EXPECT_EQ(std::stod(rows[9].fields[3]), 1);
}

TEST(Matter, BadFilesAreNamedWithTheirLine) {
  const Scratch s;
  s.write("bad.xyz", "2\n\nCo 0 0 0\nO 1 2\n");
  for (const char* command : {"powder", "pairs"}) {
    const auto o = s.run(std::string(command) + " bad.xyz --csv out.csv");
    EXPECT_EQ(o.status, 1) << command;
    EXPECT_TRUE(contains(o.err, "bad.xyz:4: error: ")) << o.err;
    EXPECT_FALSE(std::filesystem::exists(s.path() / "out.csv"));
    EXPECT_EQ(s.run(std::string(command) + " missing.xyz --csv out.csv").status, 1);
  }
}

TEST(Matter, WrongCommandLinesAreRefused) {
  const Scratch s;
  s.write("h2.xyz", "2\n\nH 0 0 0\nH 0 0 0.74\n");
  for (const char* arguments : {"powder",
                                "powder a b",
                                "powder h2.xyz --q 1:0:1",
                                "powder h2.xyz --method fast",
                                "powder h2.xyz --precision half",
                                "powder h2.xyz --tolerance 0",
                                "powder h2.xyz --exact-below 0",
                                "powder h2.xyz --exact-below 3 --method direct",
                                "powder h2.xyz --mpi 2",
                                "powder h2.xyz --form-factors mine",
                                "powder h2.xyz --b-iso H",
                                "powder h2.xyz --b-iso H=x",
                                "powder h2.xyz --wavelength -1",
                                "powder h2.xyz --csv h2.xyz",
                                "powder h2.xyz --csv a --json a",
                                "powder h2.xyz --threads 0",
                                "pairs",
                                "pairs h2.xyz --bins 0",
                                "pairs h2.xyz --range 0",
                                "pairs h2.xyz --sq 0:1:0.1",
                                "pairs h2.xyz --lorch",
                                "pairs h2.xyz --sq 1:2:1 --reduced",
                                "structure",
                                "structure Unobtainium",
                                "structure CoO --shape ball:3",
                                "structure CoO --vacancies 2",
                                "structure CoO --vacancies Fe=0.1",
                                "structure CoO --strain 1,2",
                                "structure CoO --displace -1"}) {
    const auto o = s.run(arguments);
    EXPECT_EQ(o.status, 2) << arguments << o.err;
    EXPECT_NE(o.err, "") << arguments;
    EXPECT_EQ(o.out, "") << arguments;
  }
  EXPECT_TRUE(contains(readFile(s.path() / "h2.xyz"), "0.74"));
  for (const char* command : {"powder", "pairs", "structure"})
    EXPECT_EQ(s.run(std::string(command) + " --help").status, 0);
}

}  // namespace
}  // namespace prophet
