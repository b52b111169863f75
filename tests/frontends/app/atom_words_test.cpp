#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace prophet {
namespace {

using test::contains;
using test::ProgramRun;
using test::Scratch;

nlohmann::json resultOf(const Scratch& s, const std::string& arguments) {
  const ProgramRun o = s.run(arguments + " --quiet --threads 1 --json result.json");
  EXPECT_EQ(o.status, 0) << arguments << ": " << o.err;
  return nlohmann::json::parse(test::readFile(s.path() / "result.json"));
}

std::string warned(const nlohmann::json& result) {
  for (const auto& w : result.at("warnings"))
    if (w.at("id") == "charge_from_configuration") return w.at("text");
  return "";
}

TEST(AtomWords, ConfigurationsMeanTheSameInEveryCommand) {
  const Scratch s;
  const std::string iron = s.run("energy Fe --config '[Ar] 3d6 4s2' -q").out;
  EXPECT_NEAR(std::stod(iron), -1271.3920, 1e-4);
  for (const char* words :
       {"energy Fe --config '3d6 4s2'", "Fe", "FE", "energy 26 --config 3d6,4s2 --charge 0"})
    EXPECT_EQ(s.run(words + std::string(" -q")).out, iron) << words;
  EXPECT_EQ(s.run("energy Fe2+ --config 3d6 -q").out, s.run("Fe+2 -q").out);
  const nlohmann::json anion = resultOf(s, "energy Fe --config '[Ar] 3d7 4s2'");
  EXPECT_EQ(anion["charge"], -1);
  EXPECT_TRUE(contains(warned(anion), "is Fe-; write Fe-")) << warned(anion);
  EXPECT_EQ(warned(resultOf(s, "energy Fe- --config '[Ar] 3d7 4s2'")), "");
  // Slater integrals of levels' field, and form factors.
  EXPECT_TRUE(contains(warned(resultOf(s, "slater Fe --config 3d7")), "is Fe+;"));
  EXPECT_TRUE(contains(warned(resultOf(s, "formfactor 'Fe [Ar] 3d6' --q 0")), "is Fe2+;"));
  for (const char* words : {"energy Fe2+ --config '[Ar] 3d7'", "energy Fe --charge 2 --config '[Ar] 3d7'",
                            "levels Fe2+ --config 3d7", "limit Fe2+ --config '3d6 4s2'",
                            "formfactor 'Fe2+ [Ar] 3d7'", "batch --elements 'Fe2+ [Ar] 3d7' --csv -"}) {
    const ProgramRun o = s.run(words);
    EXPECT_EQ(o.status, 2) << words;
    EXPECT_TRUE(contains(o.err, "Fe2+ is written")) << words << ": " << o.err;
  }
}

TEST(AtomWords, HolesAddAChargeAndPromotionsDoNot) {
  const Scratch s;
  for (const char* words : {"slater Fe2+ --hole 2p", "slater Fe2+ --config '[Ar] 3d6' --hole 2p",
                            "slater Fe2+ --config 3d6 --hole 2p", "energy Fe2+ --hole 2p"}) {
    const nlohmann::json hole = resultOf(s, words);
    EXPECT_EQ(hole["charge"], 3) << words;
    EXPECT_EQ(hole["configuration"]["description"], "[He] 2s2 2p5 3s2 3p6 3d6") << words;
    EXPECT_EQ(warned(hole), "") << words;
  }
  EXPECT_EQ(resultOf(s, "energy Ar --hole 1s")["charge"], 1);
  EXPECT_EQ(resultOf(s, "energy Ar+ --hole 1s")["charge"], 2);
  for (const char* words :
       {"energy Fe2+ --promote '2p->3d'", "slater Fe2+ --promote '2p->3d' --quanty fe.h5"}) {
    const nlohmann::json final = resultOf(s, words);
    EXPECT_EQ(final["charge"], 2) << words;
    EXPECT_EQ(final["configuration"]["description"], "[He] 2s2 2p5 3s2 3p6 3d7") << words;
  }
  EXPECT_TRUE(std::filesystem::exists(s.path() / "fe.h5"));
  const ProgramRun rows = s.run("batch --elements Fe2+,H --hole 2p --csv rows.csv");
  EXPECT_NE(rows.status, 0);  // hydrogen has no such hole
  const std::string table = test::readFile(s.path() / "rows.csv");
  EXPECT_TRUE(contains(table, "Fe2+ hole 2p,Fe,26,3,[He] 2s2 2p5 3s2 3p6 3d6")) << table;
  EXPECT_TRUE(contains(table, "has no electron in 2p")) << table;
}

/// Crispy's zeta(3d) of Ti 3d1 and zeta(2p) of 2p5 3d1, from Cowan's code (quanty/parameters, commit
/// f35dda40): 0.0193 and 3.7764 eV.
TEST(AtomWords, EmptyAndFullShellsHaveParameters) {
  const Scratch s;
  resultOf(s, "slater Ti4+ --quanty ti.h5 --edrixs ti.json");
  resultOf(s, "slater Ti3+ --edrixs ti.json");
  nlohmann::json ti = nlohmann::json::parse(test::readFile(s.path() / "ti.json"));
  ASSERT_EQ(ti.at("3d0").at("slater").size(), 3u);
  for (const char* part : {"slater", "soc"}) EXPECT_EQ(ti["3d0"][part], ti.at("3d1").at(part));
  EXPECT_NEAR(ti["3d0"]["soc"][0], 0.0193, 0.005);
  EXPECT_TRUE(std::filesystem::exists(s.path() / "ti.h5"));
  resultOf(s, "slater Ti4+ --promote '2p->3d' --edrixs ti.json");
  ti = nlohmann::json::parse(test::readFile(s.path() / "ti.json"));
  EXPECT_NEAR(ti.at("3d1_2p5")["soc"][1], 3.776, 0.3);
  resultOf(s, "slater Cu+ --edrixs cu.json");
  EXPECT_TRUE(nlohmann::json::parse(test::readFile(s.path() / "cu.json")).contains("3d10"));
  const nlohmann::json ce = resultOf(s, "slater Ce4+ --hole 3d --edrixs ce.json");
  EXPECT_EQ(ce.at("empty_shells").at(0).at("shell"), "4f");
  EXPECT_TRUE(nlohmann::json::parse(test::readFile(s.path() / "ce.json")).contains("4f0_3d9"));
  EXPECT_EQ(resultOf(s, "slater Mg2+ --config '2p6 3s0'")["parameters"].size(), 1u);
  const ProgramRun none = s.run("slater Ne");
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(contains(none.err, "has no open shell")) << none.err;
}

TEST(AtomWords, ErrorsNameTheCause) {
  const Scratch s;
  const auto says = [&](const std::string& arguments, int status, const std::string& part) {
    const ProgramRun o = s.run(arguments);
    EXPECT_EQ(o.status, status) << arguments;
    EXPECT_TRUE(contains(o.out + o.err, part)) << arguments << ": " << o.out << o.err;
  };
  says("Fe++", 2, "'++' is not a charge; write Fe2+");
  says("210Rn", 0, "210");
  says("500Rn", 2, "there is no isotope of Rn with the mass number 500");
  says("210Rn --mass 211", 2, "'210Rn' names the mass already; omit one of them");
  says("D", 2, "D is hydrogen; write H with --mass 2");
  says("energy 119", 2, "found 119 without a configuration");
  says("energy Fe --nucleus pint", 2, "--nucleus: found 'pint'");
  says("correlation Na --valence 3s", 2, "ask for that of Na+");
  says("correlation Fe --valence 4s", 2, "ask for that of Fe8+");
  says("correlation Cl --valence 3p", 2, "ask for that of Cl-");
  says("energy Fe2+ --charge 3", 2, "--charge: 'Fe2+' names the charge already");
  says("levels Cl --config '2s2 2p6 3s2 3p6'", 0, "is Cl-; write Cl-");
  says("lines Na", 0, "name more configurations");
  says("lines Ti2+ --configs '3d2 | 3d 4s | 4s2' --multipoles E1", 0, "all configurations have even parity");
  says("lines Ti2+ --configs '3d2 | 3d 4s | 4s2'", 0, "no E1, M2 lines");
}

TEST(AtomWords, WithoutLinesTheReportHasCommandsThatHaveThemAndNoEmptyTables) {
  const Scratch s;
  const auto report = [&](const std::string& arguments) { return s.run("lines " + arguments).out; };
  const std::string single = report("Na");
  EXPECT_TRUE(contains(single, "cudaprophet lines Na --excite '3s->3p'\n")) << single;
  EXPECT_TRUE(contains(single, "cudaprophet lines Na --configs '[Ne] 3s1 | [Ne] 3p1'\n")) << single;
  EXPECT_EQ(resultOf(s, "lines Na --excite '3s->3p'").at("lines").size(), 5u);
  for (const char* of : {"lines of", "lifetime", "wavelength [nm]", "hyperfine", "strengths"})
    EXPECT_FALSE(contains(single, of)) << single;
  const std::string even = report("C --configs '2s2 2p2 | 2s2 2p 3p' --multipoles E1");
  EXPECT_TRUE(contains(even, "even parity")) << even;
  EXPECT_TRUE(contains(even, "2p1 3p1 3D J=3")) << even;
  EXPECT_FALSE(contains(even, "lifetime") || contains(even, "wavelength [nm]")) << even;
  EXPECT_FALSE(contains(even, "  cudaprophet lines C --excite")) << even;
  EXPECT_TRUE(contains(even, "  cudaprophet lines C --configs '[He] 2s2 2p2 | [He] 2s2 2p 3p | ")) << even;
  EXPECT_TRUE(contains(report("Na+"), "cudaprophet lines Na+ --excite '2p->3s'\n"));
  EXPECT_TRUE(contains(report("Pr3+ --multipoles E1"), "cudaprophet lines Pr3+ --excite '4f->5d'\n"));
}

TEST(AtomWords, EnergiesSayWhetherTheyAreAverages) {
  const Scratch s;
  const auto of = [&](const std::string& words) {
    return resultOf(s, words).at("energy_of").get<std::string>();
  };
  EXPECT_TRUE(contains(of("energy Fe"), "average of the configuration"));
  EXPECT_TRUE(contains(of("limit C --functional lda"), "unpolarised"));
  EXPECT_TRUE(contains(of("energy Ne"), "a single state"));
  EXPECT_TRUE(contains(of("energy Na"), "a single level"));
  EXPECT_TRUE(contains(of("correlation C --library prophet-dz"), "average of the configuration"));
  const std::string report = s.run("Fe").out;
  EXPECT_LT(report.find("the average of the configuration"), 200u) << report.substr(0, 300);
}

}  // namespace
}  // namespace prophet
