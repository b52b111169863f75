// --orbitals, --orbital-grid and --properties of the program, and `properties` in JSON.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "run_program.hpp"

namespace prophet {
namespace {

using test::contains;
using test::ProgramRun;
using test::Scratch;

const char* const kNeonOrbitals = "Neon\n$nuc znuc=10 $end\n";
const char* const kNeonLimit = "Neon\n$contrl jobtype='limit' $end\n$nuc znuc=10 $end\n";

/// The rows below the comments, split at commas; the first one has the names.
std::vector<std::vector<std::string>> readTable(const std::filesystem::path& path) {
  std::istringstream in(test::readFile(path));
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line[0] == '#') continue;
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(field);
  }
  return rows;
}

TEST(Orbitals, HaveTheNamedColumnsAndTheirNorm) {
  const Scratch s;
  for (const char* job : {kNeonOrbitals, kNeonLimit}) {
    s.write("ne.inp", job);
    const ProgramRun o = s.run("ne.inp --quiet --orbitals ne.csv");
    ASSERT_EQ(o.status, 0) << o.err;
    const auto rows = readTable(s.path() / "ne.csv");
    ASSERT_EQ(rows.size(), 501U);
    EXPECT_EQ(rows[0], (std::vector<std::string>{"r", "density", "P_1s1/2", "Q_1s1/2", "P_2s1/2", "Q_2s1/2",
                                                 "P_2p1/2", "Q_2p1/2", "P_2p3/2", "Q_2p3/2", "density_slope",
                                                 "nuclear_potential", "coulomb_potential"}));
    // Trapezoidal rule in ln r: 10 electrons, and each spinor is normalised.
    const double h = std::log(std::stod(rows[2][0]) / std::stod(rows[1][0]));
    double electrons = 0;
    std::vector<double> norm(4, 0.0);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const double r = std::stod(rows[i][0]);
      electrons += h * 4 * M_PI * r * r * r * std::stod(rows[i][1]);
      for (std::size_t k = 0; k < 4; ++k)
        norm[k] +=
            h * r * (std::pow(std::stod(rows[i][2 + 2 * k]), 2) + std::pow(std::stod(rows[i][3 + 2 * k]), 2));
    }
    EXPECT_NEAR(electrons, 10, 1e-7);
    for (const double n : norm) EXPECT_NEAR(n, 1, 1e-8);
    const std::string text = test::readFile(s.path() / "ne.csv");
    for (const char* part : {"# title: Neon", "# status: converged", "# energy: -128.6", "# spinor: 2p3/2"})
      EXPECT_TRUE(contains(text, part)) << part;
  }
}

TEST(Orbitals, SpinsAndMetaGgasSayWhichPotentialsThereAre) {
  const Scratch s;
  ASSERT_EQ(s.run("energy N --functional lda --spin polarised --quiet --orbitals n.csv").status, 0);
  const std::vector<std::string> names = readTable(s.path() / "n.csv").at(0);
  EXPECT_EQ(
      std::vector<std::string>(names.end() - 6, names.end()),
      (std::vector<std::string>{"nuclear_potential", "coulomb_potential", "xc_potential_up",
                                "xc_potential_down", "effective_potential_up", "effective_potential_down"}));
  EXPECT_TRUE(contains(test::readFile(s.path() / "n.csv"), "# spinor: 2p1/2, occupation 1, spin share 1,"));
  // Each of these ended with a segmentation fault.
  for (const char* arguments :
       {"limit He --functional tpss --hdf5 x.h5", "energy He --functional r2scan --orbitals x.csv",
        "batch --elements H,He --functional tpss --csv y.csv --hdf5 y.h5"}) {
    const ProgramRun o = s.run(std::string(arguments) + " --quiet");
    EXPECT_EQ(o.status, 0) << arguments << o.err;
  }
  const std::string text = test::readFile(s.path() / "x.csv");
  EXPECT_TRUE(
      contains(text, "# left out: xc_potential, effective_potential: the potential of functional='r2scan'"))
      << text.substr(0, 2000);
  EXPECT_FALSE(contains(text, ",xc_potential"));
  const ProgramRun sap = s.run("sap He --functional scan");
  EXPECT_EQ(sap.status, 2);
  EXPECT_TRUE(contains(sap.err, "functional: found scan, whose potential is no function of r")) << sap.err;
}

TEST(Orbitals, OnTheGridThatIsAskedFor) {
  const Scratch s;
  s.write("ne.inp", kNeonOrbitals);
  ASSERT_EQ(s.run("ne.inp --quiet --orbitals ne.csv --orbital-grid 0.001:10:5").status, 0);
  auto rows = readTable(s.path() / "ne.csv");
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_DOUBLE_EQ(std::stod(rows[1][0]), 0.001);
  EXPECT_NEAR(std::stod(rows[3][0]), 0.1, 1e-15);
  EXPECT_DOUBLE_EQ(std::stod(rows[5][0]), 10);
  // The ratio of its ends is no number.
  ASSERT_EQ(s.run("ne.inp --quiet --orbitals wide.csv --orbital-grid 1e-300:1e300:50").status, 0);
  EXPECT_EQ(readTable(s.path() / "wide.csv").size(), 51U);
  EXPECT_FALSE(contains(test::readFile(s.path() / "wide.csv"), "nan"));
  s.write("radii.txt", "# bohr\nr\n0\n0.5\n1e-3\n");
  ASSERT_EQ(s.run("ne.inp --quiet --orbitals ne.csv --orbital-grid radii.txt").status, 0);
  rows = readTable(s.path() / "ne.csv");
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_DOUBLE_EQ(std::stod(rows[1][0]), 0);
  EXPECT_DOUBLE_EQ(std::stod(rows[3][0]), 1e-3);
  s.write("radii.csv", "n,r,weight\n1,0.25,7\n2,0.5,7\n");
  ASSERT_EQ(s.run("ne.inp --quiet --orbitals ne.csv --orbital-grid radii.csv").status, 0);
  EXPECT_DOUBLE_EQ(std::stod(readTable(s.path() / "ne.csv")[1][0]), 0.25);
  for (const char* text : {"q,density\n0.1,1\n", "r_angstrom\n0.1\n", "r,density\n0.1\n", "r,unit\n0.1,2\n",
                           "r,radius\n0.1,0.2\n", "r,r_angstrom\n0.1,0.05\n"}) {
    s.write("radii.csv", text);
    EXPECT_EQ(s.run("ne.inp --quiet --orbitals ne.csv --orbital-grid radii.csv").status, 2) << text;
  }
}

TEST(Orbitals, WrongUseIsSaid) {
  const Scratch s;
  s.write("ne.inp", kNeonOrbitals);
  for (const char* arguments :
       {"--orbital-grid 1:2:3", "--orbitals o.csv --orbital-grid 2:1:10",
        "--orbitals o.csv --orbital-grid 1:2:1.5", "--orbitals o.csv --orbital-grid missing.txt",
        "--orbitals ne.inp", "--orbitals o --json o", "--orbitals o.csv --check", "--properties --quiet"}) {
    const ProgramRun o = s.run(std::string("ne.inp ") + arguments);
    EXPECT_EQ(o.status, 2) << arguments << o.err;
    EXPECT_TRUE(contains(o.err, "--")) << o.err;
  }
  EXPECT_EQ(test::readFile(s.path() / "ne.inp"), kNeonOrbitals);
}

TEST(Orbitals, AreNotThereWhereNothingConverged) {
  const Scratch s;
  s.write("ne.inp", std::string(kNeonOrbitals) + "$scf maxitr=2 $end\n");
  const ProgramRun o = s.run("ne.inp --orbitals ne.csv --json ne.json");
  EXPECT_NE(o.status, 0);
  EXPECT_TRUE(contains(o.err, "no radial functions")) << o.err;
  EXPECT_FALSE(std::filesystem::exists(s.path() / "ne.csv"));
  EXPECT_TRUE(std::filesystem::exists(s.path() / "ne.json"));
}

TEST(PropertiesOutput, InJsonAndText) {
  const Scratch s;
  s.write("b.inp", "Boron\n$nuc znuc=5 $end\n");
  const ProgramRun o = s.run("b.inp --properties --json b.json");
  ASSERT_EQ(o.status, 0) << o.err;
  for (const char* part : {"--- Properties", "one-electron energy", "density at the nucleus", "<r^2>",
                           "spin-orbit splittings", "hyperfine, 2p3/2", "MHz"})
    EXPECT_TRUE(contains(o.out, part)) << part << o.out;
  const auto j = nlohmann::json::parse(test::readFile(s.path() / "b.json"));
  const auto& p = j.at("properties");
  EXPECT_NEAR(p.at("one_electron_energy").get<double>() + p.at("two_electron_energy").get<double>(),
              j.at("energy").get<double>(), 1e-9);
  EXPECT_NEAR(p.at("expectation_values").at("2s1/2").at("r").get<double>(),
              j.at("orbitals").at(1).at("mean_radius").get<double>(), 1e-10);
  EXPECT_FALSE(p.at("expectation_values").at("total").contains("r^-3"));
  EXPECT_TRUE(p.at("expectation_values").at("2p3/2").contains("r^-3"));
  EXPECT_GT(p.at("spin_orbit_splittings").at("2p").get<double>(), 0);
  EXPECT_EQ(p.at("hyperfine").size(), 2U);
  EXPECT_GT(p.at("nucleus").at("mean_density").get<double>(), 0);
}

}  // namespace
}  // namespace prophet
