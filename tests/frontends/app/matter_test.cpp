#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "core/common/csv.hpp"
#include "core/common/text.hpp"
#include "run_program.hpp"

namespace prophet {
namespace {

using test::contains;
using test::readFile;
using test::Scratch;

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

TEST(Powder, FitsAMeasuredPattern) {
  const Scratch s;
  ASSERT_EQ(s.run("structure Au --shape sphere:16 --strain 0.003 --out sample.xyz").status, 0);
  ASSERT_EQ(s.run("structure Au --shape sphere:16 --out model.xyz").status, 0);
  ASSERT_EQ(s.run("structure Au --shape sphere:24 --out other.xyz").status, 0);
  const std::string factors = " --form-factors waasmaier-kirfel ";
  ASSERT_EQ(s.run("powder sample.xyz --q 2:8:0.02 --b-iso Au=0.5 --csv sample.csv" + factors).status, 0);
  const std::string fit = "powder model.xyz --against sample.csv --background 0" + factors;
  const auto o = s.run(fit + "--mixture other.xyz --csv fit.csv --json fit.json");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(csv(s, "fit.csv")[0].fields,
            (std::vector<std::string>{"q", "measured", "computed", "background", "difference", "sigma"}));
  EXPECT_EQ(csv(s, "fit.csv").size(), 302u);
  const auto json = nlohmann::json::parse(readFile(s.path() / "fit.json"));
  EXPECT_NEAR(json.at("parameters").at(0).at("value").get<double>(), 1.003, 1e-5);
  EXPECT_NEAR(json.at("parameters").at(1).at("value").get<double>(), 0.5, 1e-3);
  EXPECT_NEAR(json.at("mixture").at(0).at("atom_fraction").get<double>(), 1, 1e-3);
  EXPECT_LT(json.at("r_wp").get<double>(), 1e-3);
  double squares = 0, all = 0;
  for (std::size_t i = 0; i < json.at("q").size(); ++i) {
    const double measured = json.at("measured").at(i), sigma = json.at("sigma").at(i);
    squares += std::pow((measured - json.at("computed").at(i).get<double>()) / sigma, 2);
    all += std::pow(measured / sigma, 2);
  }
  EXPECT_NEAR(json.at("r_wp").get<double>(), std::sqrt(squares / all), 1e-9);
  // Without files the report is printed.
  const auto printed = s.run(fit + "--refine none");
  EXPECT_TRUE(contains(printed.out, "R_wp")) << printed.out;
  EXPECT_TRUE(contains(printed.out, "background0")) << printed.out;
  // An input file has the same settings.
  s.write("fit.inp",
          "gold\n$contrl jobtype='powder' $end\n$powder file='model.xyz' against='sample.csv' "
          "background=0 refine='lattice,b' form_factors='waasmaier-kirfel' $end\n");
  ASSERT_EQ(s.run("fit.inp --json inp.json").status, 0);
  const auto fromInput = nlohmann::json::parse(readFile(s.path() / "inp.json"));
  EXPECT_NEAR(fromInput.at("parameters").at(0).at("value").get<double>(), 1.003, 1e-5);
}

TEST(Powder, RefusesWhatIsNoPattern) {
  const Scratch s;
  s.write("h2.xyz", "2\n\nH 0 0 0\nH 0 0 0.74\n");
  s.write("good.dat", "1 1\n2 2\n3 2\n4 3\n5 2\n6 1\n7 2\n8 1\n");
  struct Case {
    std::string file, message;
  };
  for (const Case& c : {Case{"1 2 3 4\n", "bad.dat:1: found 4 columns"},
                        Case{"1 2\n1 3\n", "bad.dat:2: found 1 after 1 in the first column"},
                        Case{"1 2\n2 -3\n", "bad.dat:2: found the intensity -3"},
                        Case{"1 2\n2 3\n3 4\n", "found 3 points of the pattern for 7 parameters"},
                        Case{"nothing\n", "has no rows of numbers"}}) {
    s.write("bad.dat", c.file);
    const auto o = s.run("powder h2.xyz --form-factors constant --against bad.dat");
    EXPECT_EQ(o.status, 2) << o.err;
    EXPECT_TRUE(contains(o.err, "--against: ")) << o.err;
    EXPECT_TRUE(contains(o.err, c.message)) << o.err;
  }
  for (const char* options :
       {"--against none.dat", "--against good.dat --q 1:2:1", "--against good.dat --refine volume",
        "--against good.dat --refine b,b", "--against good.dat --start volume=1",
        "--against good.dat --start lattice=2", "--against good.dat --axis two_theta",
        "--against good.dat --polarisation unpolarised", "--against good.dat --background 21", "--refine b",
        "--mixture h2.xyz", "--against good.dat --monochromator 20",
        "--against good.dat --refine none --background -1 --b-iso Fe=1"}) {
    const auto o = s.run(std::string("powder h2.xyz --form-factors constant ") + options);
    EXPECT_EQ(o.status, 2) << options << o.err;
    EXPECT_NE(o.err, "") << options;
  }
}

TEST(Powder, AnglesThatAreTakenForMomentaAreNamed) {
  const Scratch s;
  s.write("h2.xyz", "2\n\nH 0 0 0\nH 0 0 0.74\n");
  s.write("angles.dat", "10 1\n20 2\n30 2\n40 3\n50 2\n60 1\n70 2\n80 1\n");
  const auto o = s.run("powder h2.xyz --against angles.dat");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "--axis: the first column of angles.dat reaches 80")) << o.err;
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

/// Frames of a box of random atoms, each with its own edge.
std::string framesOfBoxes(int count) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform;
  std::string text;
  for (int n = 0; n < count; ++n) {
    const double edge = 12 + 0.1 * n;
    text += "40\nLattice=\"" + std::to_string(edge) + " 0 0 0 " + std::to_string(edge) + " 0 0 0 " +
            std::to_string(edge) + "\"\n";
    for (int i = 0; i < 40; ++i) {
      text += i % 2 ? "Na" : "Cl";
      for (int d = 0; d < 3; ++d) text += " " + std::to_string(edge * uniform(random));
      text += "\n";
    }
  }
  return text;
}

/// An average that ended after some frames goes on to the same digits, and another one is not taken for it.
TEST(Pairs, GoOnWithAnAverageThatEnded) {
  const Scratch s;
  s.write("all.xyz", framesOfBoxes(7));
  s.write("some.xyz", framesOfBoxes(4));
  const std::string settings = " --range 5.5 --bins 50 --neighbours --backend cpu";
  ASSERT_EQ(s.run("pairs all.xyz --csv whole.csv --json whole.json" + settings).status, 0);
  ASSERT_EQ(s.run("pairs some.xyz --state average.json" + settings).status, 0);
  auto o = s.run("pairs all.xyz --state average.json" + settings);
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "continue it with --resume")) << o.err;
  o = s.run("pairs all.xyz --state average.json --resume --range 5.5 --bins 51 --backend cpu");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "50 bins")) << o.err;
  o = s.run("pairs all.xyz --state average.json --resume --csv resumed.csv --json resumed.json" + settings);
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(readFile(s.path() / "resumed.csv"), readFile(s.path() / "whole.csv"));
  const auto whole = nlohmann::json::parse(readFile(s.path() / "whole.json")),
             resumed = nlohmann::json::parse(readFile(s.path() / "resumed.json"));
  for (const char* key : {"frames", "pairs", "density", "kinds"}) EXPECT_EQ(resumed[key], whole[key]) << key;
  EXPECT_EQ(resumed["frames"], 7);
  o = s.run("pairs some.xyz --state average.json --resume" + settings);
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "the state has 7 frames")) << o.err;
  const std::string state = readFile(s.path() / "average.json");
  std::string changed = state;
  changed[changed.size() - 9] ^= 1;
  s.write("average.json", changed);
  o = s.run("pairs all.xyz --state average.json --resume" + settings);
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "damaged")) << o.err;
  // Cut off, as by a kill: everything again.
  s.write("average.json", state.substr(0, 500));
  ASSERT_EQ(s.run("pairs all.xyz --state average.json --resume --csv cut.csv" + settings).status, 0);
  EXPECT_EQ(readFile(s.path() / "cut.csv"), readFile(s.path() / "whole.csv"));
  // A frame that is damaged ends the run: those before it are kept.
  s.write("cut.xyz", framesOfBoxes(5) + "40\nnothing follows\n");
  EXPECT_EQ(s.run("pairs cut.xyz --state cut.json" + settings).status, 2);
  ASSERT_EQ(s.run("pairs all.xyz --state cut.json --resume --csv again.csv" + settings).status, 0);
  EXPECT_EQ(readFile(s.path() / "again.csv"), readFile(s.path() / "whole.csv"));
}

/// A straight row of atoms has the dimension 1, also where its box is periodic.
TEST(Matter, FractalDimensionOfARow) {
  const Scratch s;
  std::string atoms;
  for (int i = 0; i < 2000; ++i) atoms += "C " + std::to_string(0.5 * i) + " 0 0\n";
  s.write("row.xyz", "2000\n\n" + atoms);
  s.write("box.xyz", "2000\nLattice=\"1000 0 0 0 1000 0 0 0 1000\"\n" + atoms);
  const auto dimension = [&](const std::string& command) {
    const auto o = s.run(command + " --fractal 0.06,1 --json out.json --csv out.csv");
    EXPECT_EQ(o.status, 0) << o.err;
    const auto json = nlohmann::json::parse(readFile(s.path() / "out.json"));
    EXPECT_LT(json["fractal_dimension_error"].get<double>(), 0.01);
    return json["fractal_dimension"].get<double>();
  };
  EXPECT_NEAR(dimension("powder row.xyz --q 0.05:1.2:0.01 --form-factors constant"), 1, 0.02);
  EXPECT_NEAR(dimension("pairs box.xyz --sq 0.05:1.2:0.01"), 1, 0.03);
  for (const char* wrong : {"pairs box.xyz --fractal 0.1,1", "pairs box.xyz --sq 0.1:1:0.1 --fractal 1,0.1",
                            "powder row.xyz --fractal 0.1", "powder row.xyz --fractal 30,40"}) {
    const auto o = s.run(wrong);
    EXPECT_EQ(o.status, 2) << wrong;
    EXPECT_TRUE(contains(o.err, "--fractal")) << o.err;
  }
}

TEST(Matter, BadFilesAreNamedWithTheirLine) {
  const Scratch s;
  s.write("bad.xyz", "2\n\nCo 0 0 0\nO 1 2\n");
  for (const char* command : {"powder", "pairs"}) {
    const auto o = s.run(std::string(command) + " bad.xyz --csv out.csv");
    EXPECT_EQ(o.status, 2) << command;
    EXPECT_TRUE(contains(o.err, "bad.xyz:4: error: ")) << o.err;
    EXPECT_FALSE(std::filesystem::exists(s.path() / "out.csv"));
    EXPECT_EQ(s.run(std::string(command) + " missing.xyz --csv out.csv").status, 2);
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
                                "powder h2.xyz --b-iso H=-1",
                                "powder h2.xyz --b-iso H=1e300",
                                "powder h2.xyz --b-iso H=1,H=2",
                                "powder h2.xyz --bin-width 1e300",
                                "powder h2.xyz --wavelength 1e-300",
                                "powder h2.xyz --wavelength -1",
                                "powder h2.xyz --csv h2.xyz",
                                "powder h2.xyz --csv a --json a",
                                "powder h2.xyz --threads 0",
                                "pairs",
                                "pairs h2.xyz --bins 0",
                                "pairs h2.xyz --range 0",
                                "pairs h2.xyz --range 1e-300",
                                "pairs h2.xyz --range 1e300",
                                "pairs h2.xyz --density 1e300",
                                "pairs h2.xyz --sq 0:1:0.1",
                                "pairs h2.xyz --lorch",
                                "pairs h2.xyz --sq 1:2:1 --reduced",
                                "structure",
                                "structure Unobtainium",
                                "structure CoO --shape ball:3",
                                "structure CoO --shell 3:Co=Fe",
                                "structure CoO --shape sphere:12 --shell Co=Fe",
                                "structure CoO --shape sphere:12 --shell 3:Co",
                                "structure CoO --shape sphere:12 --shell 9:Co=Fe",
                                "structure CoO --shape sphere:12 --shell 3:Ni=Fe",
                                "structure CoO --shape wulff:12:111",
                                "structure Au --stacking-faults 0.1",
                                "structure Fe --shape sphere:12 --stacking-faults 0.1",
                                "structure Au --shape cells:2,2,2 --stacking-faults 0.1",
                                "structure CoO --vacancies 2",
                                "structure CoO --vacancies Fe=0.1",
                                "structure CoO --strain 1,2",
                                "structure CoO --strain 1e300",
                                "structure CoO --displace 1e300",
                                "structure CoO --shape sphere:1e6",
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

nlohmann::json json(const Scratch& s, const std::string& name) {
  return nlohmann::json::parse(readFile(s.path() / name));
}

constexpr const char* kSaltCell =
    "8\nLattice=\"5.64 0 0 0 5.64 0 0 0 5.64\" Properties=species:S:1:pos:R:3:charge:R:1 pbc=\"T T T\" rock "
    "salt\n"
    "Na 0 0 0 1\nNa 0 2.82 2.82 1\nNa 2.82 0 2.82 1\nNa 2.82 2.82 0 1\n"
    "Cl 2.82 2.82 2.82 -1\nCl 2.82 0 0 -1\nCl 0 2.82 0 -1\nCl 0 0 2.82 -1\n";

TEST(Powder, ABoxAroundAParticleDoesNotMatter) {
  const Scratch s;
  ASSERT_EQ(s.run("structure Au --shape sphere:24 --out au.xyz").status, 0);
  std::string text = readFile(s.path() / "au.xyz");
  text.replace(text.find("Properties"), 0, "Lattice=\"34 0 0 0 34 0 0 0 34\" pbc=\"T T T\" ");
  s.write("au_in_a_box.xyz", text);
  ASSERT_EQ(s.run("powder au.xyz --q 0.5:8:0.01 --form-factors constant --csv a.csv").status, 0);
  const auto o =
      s.run("powder au_in_a_box.xyz --q 0.5:8:0.01 --form-factors constant --csv b.csv --json b.json");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(contains(o.err, "warning: the file has a lattice")) << o.err;
  EXPECT_TRUE(contains(readFile(s.path() / "b.csv"), "\n# WARNING: the file has a lattice"));
  EXPECT_EQ(json(s, "b.json").at("warnings").size(), 1u);
  const auto a = csv(s, "a.csv"), b = csv(s, "b.csv");
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].fields, b[i].fields);
  for (std::size_t i = 1; i < b.size(); ++i) EXPECT_GE(std::stod(b[i].fields[1]), 0);
}

TEST(Powder, AnglesEndWithTheWavelength) {
  const Scratch s;
  s.write("h2.xyz", "2\n\nH 0 0 0\nH 0 0 0.74\n");
  const auto o =
      s.run("powder h2.xyz --q 0:9:3 --form-factors constant --wavelength 1.54 --csv a.csv --json a.json");
  ASSERT_EQ(o.status, 0) << o.err;
  const auto rows = csv(s, "a.csv");
  EXPECT_EQ(rows[1].fields[2], "0");
  EXPECT_EQ(rows[4].fields[2], "");
  EXPECT_TRUE(json(s, "a.json").at("two_theta").at(3).is_null());
  EXPECT_TRUE(contains(o.err, "two_theta is empty")) << o.err;
}

TEST(Structure, WhatIsCutFromAFileSaysNothingOfItsCell) {
  const Scratch s;
  s.write("a.xyz", kSaltCell);
  ASSERT_EQ(s.run("structure a.xyz --shape sphere:12 -o p.xyz").status, 0);
  const std::string particle = readFile(s.path() / "p.xyz");
  EXPECT_FALSE(contains(particle, "Lattice")) << particle;
  EXPECT_FALSE(contains(particle, "pbc")) << particle;
  EXPECT_TRUE(contains(particle, "rock salt")) << particle;
  EXPECT_TRUE(contains(particle, "Properties=species:S:1:pos:R:3:charge:R:1 ")) << particle;
  EXPECT_EQ(s.run("powder p.xyz --q 0:1:1 --form-factors constant").err, "");
  ASSERT_EQ(s.run("structure a.xyz --shape cells:2,2,2 -o c.xyz").status, 0);
  const auto o = s.run("madelung c.xyz --json m.json");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_NEAR(json(s, "m.json").at("madelung_constant").get<double>(), 1.7475645946, 1e-9);
  EXPECT_EQ(json(s, "m.json").at("sites").size(), 64u);
}

TEST(Structure, IsARecordToo) {
  const Scratch s;
  const auto o = s.run(
      "structure CoO --shape cells:2,1,1 --vacancies O=0.3,Co=0 --strain 0.01,0,-0.01 --displace 0.1 --seed "
      "7 --json a.json --csv a.csv");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out, "");
  const auto a = json(s, "a.json");
  const std::string xyz = s.run(
                               "structure CoO --shape cells:2,1,1 --vacancies O=0.3,Co=0 --strain "
                               "0.01,0,-0.01 --displace 0.1 --seed 7")
                              .out;
  EXPECT_EQ(std::to_string(a.at("atom_count").get<int>()), xyz.substr(0, xyz.find('\n')));
  EXPECT_EQ(a.at("atoms").at("symbols").size(), a.at("atom_count"));
  EXPECT_EQ(a.at("atoms").at("symbols").at(0), "Co");
  EXPECT_EQ(a.at("atoms").at("positions").at(0).size(), 3u);
  EXPECT_NEAR(a.at("lattice_angstrom").at(0).at(0).get<double>(), 2 * 4.26 * 1.01, 1e-9);
  EXPECT_EQ(a.at("request").at("seed"), "7");
  EXPECT_TRUE(contains(readFile(s.path() / "a.csv"), "symbols,positions_x,positions_y,positions_z\nCo,"));
  s.write("a.inp",
          "cut\n $contrl jobtype='structure' $end\n $structure crystal='CoO' shape='sphere:9' out='c.xyz' "
          "$end\n");
  ASSERT_EQ(s.run("a.inp").status, 0);
  EXPECT_EQ(readFile(s.path() / "c.xyz"), s.run("structure CoO --shape sphere:9").out);
}

TEST(Structure, SaysWhatItDoesNotKeep) {
  const Scratch s;
  s.write("a.xyz",
          "2\nLattice=\"4 0 0 0 4 0 0 0 4\" Properties=species:S:1:pos:R:3:initial_charges:R:1:forces:R:3 "
          "pbc=\"T T "
          "T\"\nCs 0 0 0 1 7 7 7\nCl 2 2 2 -1 7 7 7\n");
  auto o = s.run("structure a.xyz --shape cells:2,2,2 -o c.xyz");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(contains(o.err, "not forces:R:3")) << o.err;
  // The charges that ASE writes are kept.
  for (const char* file : {"a.xyz", "c.xyz"}) {
    o = s.run(std::string("madelung ") + file + " --json m.json");
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_NEAR(json(s, "m.json").at("madelung_constant").get<double>(), 1.762674773, 1e-9);
    std::filesystem::remove(s.path() / "m.json");
  }
  s.write("plain.xyz", "1\n\nCs 0 0 0 1\n1\n\nCs 0 0 0 1\n");
  o = s.run("structure plain.xyz -o p.xyz");
  EXPECT_TRUE(contains(o.err, "not what follows x, y, z")) << o.err;
  EXPECT_TRUE(contains(o.err, "several frames")) << o.err;
}

/// A file that states charges is not one of neutral atoms.
TEST(Matter, ChargesThatAreNotReadAreTold) {
  const Scratch s;
  const auto box = [](const std::string& column) {
    return "2\nLattice=\"4 0 0 0 4 0 0 0 4\" Properties=species:S:1:pos:R:3:" + column +
           "\nCs 0 0 0 1\nCl 2 2 2 -1\n";
  };
  s.write("a.xyz", box("charge:R:1"));
  s.write("b.xyz", box("bader_charges:R:1"));
  s.write("c.xyz", "2\nsalt\nCs 0 0 0 1\nCl 2 2 2 -1\n");
  s.write("d.xyz", "2\nLattice=\"4 0 0 0 4 0 0 0 4\" charges=[1, -1]\nCs 0 0 0\nCl 2 2 2\n");
  s.write("e.xyz", "2\nsalt charges=[1, -1]\nCs 0 0 0\nCl 2 2 2\n");
  const std::string factors = " --form-factors waasmaier-kirfel ", q = "--q 0:1:1 ";
  for (const std::string& command :
       {"powder a.xyz " + q, "powder b.xyz " + q, std::string("pairs b.xyz --bins 3 "), "powder c.xyz " + q,
        "powder d.xyz " + q, "powder e.xyz " + q}) {
    auto o = s.run(command + factors + "--json o.json");
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(contains(o.err, "Cs, Cl scatter as neutral atoms")) << o.err;
    EXPECT_TRUE(contains(json(s, "o.json").at("warnings").dump(), "\"neutral\""));
    std::filesystem::remove(s.path() / "o.json");
    o = s.run(command + "--form-factors neutron");
    EXPECT_FALSE(contains(o.err, "neutral")) << o.err;
  }
  for (const std::string source : {"", " --charges column"}) {
    const auto o = s.run("madelung b.xyz" + source);
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(contains(o.err, "bader_charges:R:1 is not called charge")) << o.err;
  }
}

/// A frame that has lost its lattice is not averaged in.
/// An atom that a file says twice would scatter twice without a word.
TEST(Matter, AtomsAtOnePlaceAreTold) {
  const Scratch s;
  const auto told = [&](const char* command, const char* box, const char* atoms) {
    s.write("a.xyz", std::string("3\n") + box + "\n" + atoms);
    const auto o = s.run(command + std::string(" a.xyz --json o.json --quiet"));
    EXPECT_EQ(o.status, 0) << o.err;
    std::string text;
    const auto result = nlohmann::json::parse(readFile(s.path() / "o.json"));
    for (const auto& warning : result.at("warnings"))
      if (warning.at("id") == "same_place") text = warning.at("text");
    return text;
  };
  const char* const box = "Lattice=\"5 0 0 0 5 0 0 0 5\"";
  const char *const twice = "Au 0 0 0\nAu 0 0 3\nAu 0 0 3\n", *const apart = "Au 0 0 0\nAu 0 0 3\nAu 0 0 4\n",
                    *const image = "Au 0 0 0\nAu 2 2 2\nAu 0 5 0\n",
                    *const rounded = "Au 0.0000004 0 0\nAu 2 2 2\nAu 4.9999996 5 0\n";
  const std::string says = "atom 3 at that of 2";
  for (const char* command : {"powder --q 0:1:0.5", "pairs --bins 10"}) {
    for (const char* lattice : {"", box}) {
      EXPECT_TRUE(contains(told(command, lattice, twice), says)) << command << lattice;
      EXPECT_EQ(told(command, lattice, apart), "") << command << lattice;
    }
    // The particle of a powder pattern has no walls.
    for (const char* atoms : {image, rounded})
      EXPECT_EQ(contains(told(command, box, atoms), "atom 3 at that of 1"), command[1] == 'a') << atoms;
  }
}

TEST(Matter, FramesAreAllPeriodicOrNone) {
  const Scratch s;
  const std::string atoms = "Ar 0 0 0\nAr 3 1 2\n", box = "2\nLattice=\"20 0 0 0 20 0 0 0 20\"\n" + atoms,
                    open = "2\nno box\n" + atoms,
                    flagged = "2\nLattice=\"20 0 0 0 20 0 0 0 20\" pbc=\"F F F\"\n" + atoms;
  for (const std::string& text : {box + open, open + box, box + box + flagged}) {
    s.write("a.xyz", text);
    for (const char* command :
         {"pairs a.xyz --range 8 --bins 4", "powder a.xyz --q 0:1:1 --form-factors constant"}) {
      const auto o = s.run(command);
      EXPECT_EQ(o.status, 2) << command;
      EXPECT_TRUE(contains(o.err, text.size() > (box + open).size() ? "frame 3 has" : "frame 2 has"))
          << o.err;
      EXPECT_EQ(o.out, "");
    }
  }
  s.write("a.xyz", box + box);
  const auto o = s.run("pairs a.xyz --range 8 --bins 4 --json p.json");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_NEAR(json(s, "p.json").at("density").get<double>(), 2 / 8000., 1e-12);
}

TEST(Pairs, ABoxMayBeGiven) {
  const Scratch s;
  const std::string atoms = "Ar 0 0 0\nAr 0 0 9\n";
  s.write("open.xyz", "2\n\n" + atoms);
  s.write("box.xyz", "2\nLattice=\"10 0 0 0 10 0 0 0 12\"\n" + atoms);
  auto o = s.run("pairs box.xyz --csv a.csv");
  ASSERT_EQ(o.status, 0) << o.err;
  ASSERT_EQ(s.run("pairs open.xyz --cell 10,10,12 --csv b.csv").err, "");
  const auto a = csv(s, "a.csv"), b = csv(s, "b.csv");
  ASSERT_EQ(a.size(), 301u);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].fields, b[i].fields);
  o = s.run("pairs open.xyz --cell 10 --bins 3 --json c.json");
  EXPECT_NEAR(json(s, "c.json").at("density").get<double>(), 2e-3, 1e-12);
  for (const char* wrong : {"pairs box.xyz --cell 10", "pairs open.xyz --cell 10,10",
                            "pairs open.xyz --cell 0", "pairs open.xyz --cell 10 --density 0.1",
                            "pairs box.xyz --density 0.1", "pairs box.xyz --anomalous box.xyz"}) {
    o = s.run(wrong);
    EXPECT_EQ(o.status, 2) << wrong << o.err;
  }
  // Trajectories whose atoms leave the box are as good.
  o = s.run("pairs open.xyz --cell 10,10,8");
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(contains(o.err, "extend over 0 x 0 x 9 angstrom, more than the box of 10 x 10 x 8")) << o.err;
  EXPECT_EQ(s.run("pairs open.xyz --cell 9.5").err, "");
  s.write("cluster.xyz", "3\n\nAr 0 0 0\nAr 3 1 2\nAr 1 5 2\n");
  o = s.run("pairs cluster.xyz --bins 3 --json d.json");
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(contains(o.err, "there is no lattice: the atoms are one cluster")) << o.err;
  EXPECT_EQ(json(s, "d.json").at("warnings").size(), 1u);
  EXPECT_EQ(s.run("pairs cluster.xyz --bins 3 --density 0.1").err, "");
}

/// Below the first waves the transform of g to half the box gives 2.1, where the sum over the waves of the
/// box gives 0.002: such numbers are not given without a word.
TEST(Pairs, StructureFactorsBelowTheFirstWaveAreTold) {
  const Scratch s;
  ASSERT_EQ(s.run("structure NaCl --shape cells:6,6,6 --displace 0.15 --seed 3 --out box.xyz").status, 0);
  auto o = s.run("pairs box.xyz --sq 0.02:1.4:0.06 --json a.json --csv a.csv");
  ASSERT_EQ(o.status, 0) << o.err;
  // R = 16.92 angstrom, 2 pi/R = 0.3713: 0.02, 0.08, 0.14, 0.2, 0.26, 0.32.
  EXPECT_TRUE(contains(o.err, "6 of 24 values of S, those at q below 2 pi/R = 0.3713")) << o.err;
  EXPECT_TRUE(contains(o.err, "smaller than atoms can scatter, most of all -0.452 at q = 0.26")) << o.err;
  const auto warnings = json(s, "a.json").at("warnings");
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0].at("id"), "below_first_momentum");
  EXPECT_EQ(warnings[1].at("id"), "negative_factor");
  EXPECT_TRUE(contains(readFile(s.path() / "a.csv"), "# WARNING: 6 of 24 values"));
  EXPECT_EQ(s.run("pairs box.xyz --sq 2:4:0.5 --lorch").err, "");
  o = s.run("pairs box.xyz --sq 0.1:1:0.1 --fractal 0.3,1");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(
      contains(o.err, "--fractal: begins at 0.3 per angstrom; expected 2 pi/R = 0.3713 per angstrom or more"))
      << o.err;
}

TEST(Powder, AFitOfABareCellSaysSo) {
  const Scratch s;
  s.write("cell.xyz", kSaltCell);
  ASSERT_EQ(s.run("structure cell.xyz --shape sphere:30 -o ball.xyz").status, 0);
  const std::string factors = " --form-factors neutron ";
  ASSERT_EQ(s.run("powder ball.xyz --q 1.5:6:0.02 --csv m.csv" + factors).status, 0);
  auto o = s.run("powder cell.xyz --against m.csv --json f.json" + factors);
  EXPECT_TRUE(contains(o.err, "warning: the file has a lattice")) << o.err;
  o = s.run("powder cell.xyz --against m.csv" + factors);
  EXPECT_TRUE(contains(o.err, "warning: the file has a lattice")) << o.err;
  EXPECT_TRUE(contains(o.out, "R_wp")) << o.out;
  EXPECT_TRUE(contains(o.out, "the file has a lattice"))
      << o.out;  // a report in a file has no standard error beside it
  o = s.run(
      "powder ball.xyz --against m.csv --b-iso Na=0.8,Cl=0.8 --refine lattice --start b=-1.5 --json g.json" +
      factors);
  EXPECT_TRUE(contains(o.err, "Debye-Waller factor is below 0 (-0.7 of Cl, -0.7 of Na angstrom^2)")) << o.err;
  EXPECT_TRUE(contains(json(s, "g.json").at("warnings").dump(), "negative_b"));
  o = s.run("powder ball.xyz --against m.csv" + factors);
  EXPECT_FALSE(contains(o.err, "below 0")) << o.err;
}

TEST(Pairs, SaysWhatItsDensityIsWorth) {
  const Scratch s;
  s.write("flat.xyz", "3\n\nH 0 0 0\nH 1 0 0\nH 0 1 0\n");
  auto o = s.run("pairs flat.xyz --bins 4 --json p.json");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(contains(o.err, "warning: the atoms lie in a plane")) << o.err;
  EXPECT_EQ(json(s, "p.json").at("warnings").size(), 1u);
  EXPECT_EQ(s.run("pairs flat.xyz --bins 4 --density 0.1").err, "");
  o = s.run("pairs flat.xyz --sq 1:2:1");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "give the density")) << o.err;
  EXPECT_EQ(s.run("pairs flat.xyz --sq 1:2:1 --density 0.1").status, 0);
}

// Two atoms that asked for gigabytes, minutes, or nothing.
TEST(Pairs, SmallFilesWithHugeNumbersAreRefusedAtOnce) {
  const Scratch s;
  const std::string box = "2\nLattice=\"2 0 0 0 2 0 0 0 2\" Properties=species:S:1:pos:R:3\nNa 0 0 0\nCl ";
  s.write("near.xyz", box + "1 1 1\n");
  s.write("far.xyz", box + "5000 0 0\n");
  for (const char* range : {"3000", "1e6", "1e9"}) {
    const auto o = s.run("pairs near.xyz --range " + std::string(range));
    EXPECT_EQ(o.status, 2) << range;
    EXPECT_TRUE(contains(o.err, "take a shorter range")) << o.err;
  }
  EXPECT_EQ(s.run("powder far.xyz --form-factors constant --q 0:3:1").status, 0);
  EXPECT_EQ(s.run("pairs far.xyz --bins 4").status, 0);
}

// Complex lengths, isotopes and bare nuclei: V. F. Sears, Neutron News 3 (3), 29 (1992).
TEST(Powder, NeutronsSeeNuclei) {
  const Scratch s;
  for (const auto& [atoms, intensity] : std::vector<std::pair<std::string, double>>{
           {"1\n\nGd 0 0 0\n", 6.5 * 6.5 + 13.82 * 13.82},
           {"1\n\nSm3+ 0 0 0\n", 0.8 * 0.8 + 1.65 * 1.65},
           {"3\n\nO 0 0 0\nD 0.76 0.59 0\nD -0.76 0.59 0\n", std::pow(5.803 + 2 * 6.671, 2)},
           {"3\n\nO2- 0 0 0\nH1+ 0.76 0.59 0\n2H+ -0.76 0.59 0\n", std::pow(5.803 - 3.739 + 6.671, 2)}}) {
    s.write("a.xyz", atoms);
    const auto o = s.run("powder a.xyz --q 0:0:1 --form-factors neutron --csv a.csv");
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_NEAR(std::stod(csv(s, "a.csv").at(1).fields[1]), intensity, 1e-9) << atoms;
    EXPECT_EQ(contains(o.err, "depends on their energy"), contains(atoms, "Gd") || contains(atoms, "Sm"))
        << o.err;
  }
  // A proton has no electrons: what is left is oxygen.
  ASSERT_EQ(s.run("powder a.xyz --q 0:0:1 --form-factors waasmaier-kirfel --csv a.csv").status, 0);
  EXPECT_NEAR(std::stod(csv(s, "a.csv").at(1).fields[1]), 100, 0.1);
  ASSERT_EQ(s.run("pairs a.xyz --bins 4 --form-factors neutron --density 0.1 --csv p.csv").status, 0);
  EXPECT_EQ(csv(s, "p.csv").at(0).fields[2], "g_O2--O2-");
  const auto deuterium = s.run("formfactor D H --q 0:2:1");
  ASSERT_EQ(deuterium.status, 0) << deuterium.err;
  for (const auto& line : split(deuterium.out, '\n')) {
    const auto words = splitWords(line);
    if (words.size() == 3 && words[0] != "q" && words[0] != "#") {
      EXPECT_EQ(words[1], words[2]) << line;
    }
  }
}

constexpr const char* kChloride =
    "data_cscl\n_cell_length_a 4.12\n_cell_length_b 4.12\n_cell_length_c 4.12\n_cell_angle_alpha 90\n"
    "_cell_angle_beta 90\n_cell_angle_gamma 90\n_space_group_name_H-M_alt 'P m -3 m'\n";
constexpr const char* kSites =
    "loop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n"
    "_atom_site_fract_z\n";

TEST(Matter, ChargesOfACifAreRead) {
  const Scratch s;
  for (const auto& [types, rows] : std::vector<std::pair<std::string, std::string>>{
           {"", "A Cs+1 0 0 0\nB Cl-1 0.5 0.5 0.5\n"},
           {"loop_\n_atom_type_symbol\n_atom_type_oxidation_number\nCs 1\nCl -1\n",
            "A Cs 0 0 0\nB Cl 0.5 0.5 0.5\n"},
           {"", "A Cs2.5+ 0 0 0\nB H2.5- 0.5 0.5 0.5\n"}}) {
    s.write("a.cif", kChloride + types + kSites + rows);
    const auto o = s.run("madelung a.cif --json m.json");
    if (contains(o.err, "without gemmi")) GTEST_SKIP();
    if (contains(rows, "H2.5-")) {
      EXPECT_EQ(o.status, 2);
      EXPECT_TRUE(contains(o.err, "a.cif:16: error: site B: 'H2.5-' is not an atom or ion")) << o.err;
      continue;
    }
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_NEAR(json(s, "m.json")["madelung_constant"].get<double>(), 1.762674773070, 1e-10);
    EXPECT_EQ(json(s, "m.json")["unit_charge"], 1);
    const auto p = s.run("powder a.cif --form-factors waasmaier-kirfel --q 0:0:1 --json p.json");
    ASSERT_EQ(p.status, 0) << p.err;
    EXPECT_EQ(json(s, "p.json")["kinds"].dump(), R"({"Cl-":1,"Cs+":1})");
    std::filesystem::remove(s.path() / "m.json");
    std::filesystem::remove(s.path() / "p.json");
  }
}

TEST(Matter, OneOfSeveralStructuresIsChosen) {
  const Scratch s;
  std::string other = kChloride;
  other.replace(other.find("cscl"), 4, "iron");
  s.write("two.cif", std::string(kChloride) + kSites + "A Cs+ 0 0 0\nB Cl- 0.5 0.5 0.5\n" + other + kSites +
                         "A Fe 0 0 0\n");
  const auto o = s.run("pairs two.cif --bins 4");
  if (contains(o.err, "without gemmi")) GTEST_SKIP();
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(contains(o.err, "--block): cscl, iron")) << o.err;
  EXPECT_TRUE(contains(s.run("pairs two.cif --bins 4 --block iron").out, "1 Fe"));
  EXPECT_TRUE(contains(s.run("powder two.cif --form-factors constant --q 0:0:1 --block iron").out, "1 Fe"));
  EXPECT_TRUE(contains(s.run("madelung two.cif --block cscl").out, "1.76267477307"));
  EXPECT_TRUE(contains(s.run("structure two.cif --block iron").out, "\nFe 0.0"));
  EXPECT_EQ(s.run("structure NaCl --block iron").status, 2);
}

TEST(Matter, TextThatIsNotUtf8LosesNothing) {
  const Scratch s;
  std::string text = kSaltCell;
  text.replace(text.find("rock"), 4, "B\xE4r");
  s.write("b\xE4r.xyz", text);
  for (const std::string command : {"powder b\xE4r.xyz --form-factors constant --q 0:1:1 ",
                                    "pairs b\xE4r.xyz --bins 3 ", "madelung b\xE4r.xyz "}) {
    const auto o = s.run(command + "--json o.json");
    EXPECT_EQ(o.status, 0) << command << o.err;
    EXPECT_TRUE(contains(o.err, "Latin-1")) << o.err;
    EXPECT_EQ(json(s, "o.json").at("file"), "bär.xyz");
    EXPECT_TRUE(contains(json(s, "o.json").at("warnings").dump(), "Latin-1"));
    std::filesystem::remove(s.path() / "o.json");
  }
  EXPECT_EQ(s.run("structure b\xE4r.xyz --shape sphere:9 -o p.xyz").status, 0);
  EXPECT_TRUE(contains(readFile(s.path() / "p.xyz"), "Bär salt"));
}

}  // namespace
}  // namespace prophet
