#include "matter/powder/amplitudes.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "atoms/atom/species.hpp"
#include "core/common/error.hpp"
#include "tests/core/common/folder.hpp"

namespace prophet {
namespace {

Eigen::VectorXd some() { return Eigen::VectorXd::LinSpaced(23, 0, 11.3); }

TEST(Amplitudes, OfNeutronsAndConstants) {
  AmplitudeOptions o;
  o.source = AmplitudeSource::Neutron;
  EXPECT_EQ(amplitudesOf({"Co2+", "O"}, some(), o).values(3, 0).real(), 2.49);
  EXPECT_THROW(amplitudesOf({"Rn"}, some(), o), Error);
  o.source = AmplitudeSource::Constant;
  EXPECT_EQ(amplitudesOf({"Rn"}, some(), o).values(3, 0).real(), 1);
  o.source = AmplitudeSource::Computed;
  EXPECT_THROW(amplitudesOf({"Rn"}, some(), o), Error);  // by nobody
  for (const auto& [name, source] : amplitudeSources()) EXPECT_EQ(nameOf(source), name);
}

// V. F. Sears, Neutron News 3 (3), 29 (1992).
TEST(Amplitudes, OfNeutronsAreComplexAndKnowIsotopes) {
  EXPECT_EQ(neutronLengths().size(), 363u);
  AmplitudeOptions o;
  o.source = AmplitudeSource::Neutron;
  const std::vector<std::pair<std::string, std::complex<double>>> lengths = {
      {"Gd", {6.5, -13.82}}, {"Gd3+", {6.5, -13.82}}, {"Sm", {0.8, -1.65}},    {"Eu", {7.22, -1.26}},
      {"Cd", {4.87, -0.7}},  {"B", {5.3, -0.213}},    {"10B", {-0.1, -1.066}}, {"11B", 6.65},
      {"H", -3.739},         {"H+", -3.739},          {"1H", -3.7406},         {"D", 6.671},
      {"T", 4.792},          {"6Li+", {2, -0.261}},   {"7Li", -2.22},          {"58Ni", 14.4},
      {"62Ni", -8.7},        {"27Al", 3.449},         {"Fe2.5+", 9.45}};
  for (const auto& [kind, length] : lengths) {
    const Amplitudes f = amplitudesOf({kind}, some(), o);
    EXPECT_EQ(f.values(22, 0), length) << kind;
    const bool resonant = kind[0] == 'G' || kind == "Sm" || kind == "Eu" || kind == "Cd";
    EXPECT_EQ(f.warnings.size(), resonant ? 1u : 0u) << kind;
  }
  EXPECT_NE(amplitudesOf({"Gd"}, some(), o).warnings[0].find("6.5-13.82i fm"), std::string::npos);
  try {
    amplitudesOf({"Cm"}, some(), o);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("244Cm"), std::string::npos) << e.what();
  }
  EXPECT_THROW(amplitudesOf({"78Kr"}, some(), o), Error);
}

TEST(Amplitudes, OfXraysAreThoseOfTheElectrons) {
  AmplitudeOptions o;
  o.source = AmplitudeSource::WaasmaierKirfel;
  const auto of = [&](const std::string& kind) {
    return Eigen::VectorXcd(amplitudesOf({kind}, some(), o).values);
  };
  EXPECT_EQ(of("D"), of("H"));
  EXPECT_EQ(of("6Li+"), of("Li+"));
  EXPECT_EQ(of("H+"), Eigen::VectorXcd::Zero(23));
  EXPECT_LT((of("Fe2.5+") - 0.5 * (of("Fe2+") + of("Fe3+"))).norm(), 1e-14);
  EXPECT_NEAR(std::abs(of("Fe2.5+")(0)), 23.5, 0.02);
  EXPECT_THROW(of("S5.5+"), Error);
  o.source = AmplitudeSource::Computed;
  std::vector<std::string> asked;
  o.computed = [&](const Species& s, const Eigen::VectorXd& q) {
    asked.push_back(s.name);
    return AtomAmplitude{Eigen::VectorXcd::Constant(q.size(), s.z - s.charge), "x"};
  };
  EXPECT_EQ(amplitudesOf({"57Fe3+"}, some(), o).values(0, 0), 23.0);
  EXPECT_EQ(amplitudesOf({"He2+"}, some(), o).values(0, 0), 0.0);
  EXPECT_EQ(asked, (std::vector<std::string>{"Fe3+"}));
}

TEST(Dispersion, OfAnElementIsThatOfItsIonsAndIsotopes) {
  AmplitudeOptions o;
  o.source = AmplitudeSource::Constant;
  o.dispersion = {{"Fe", {-1, 2}}, {"Fe2+", {-3, 4}}};
  EXPECT_EQ(amplitudesOf({"Fe3+"}, some(), o).values(0, 0), std::complex<double>(0, 2));
  EXPECT_EQ(amplitudesOf({"57Fe"}, some(), o).values(0, 0), std::complex<double>(0, 2));
  EXPECT_EQ(amplitudesOf({"57Fe2+"}, some(), o).values(0, 0), std::complex<double>(-2, 4));
  EXPECT_EQ(amplitudesOf({"O"}, some(), o).values(0, 0), 1.0);
  // An ion's is not that of the atom, which is told; of other elements nothing is said.
  o.dispersion = {{"Fe3+", {-3, 4}}};
  const Amplitudes neutral = amplitudesOf({"Fe", "O"}, some(), o);
  EXPECT_EQ(neutral.values(0, 0), 1.0);
  ASSERT_EQ(neutral.warnings.size(), 1u);
  EXPECT_EQ(neutral.warnings[0].rfind("f' and f'' are given for Fe3+ and not for Fe, which has none", 0), 0u);
  EXPECT_TRUE(amplitudesOf({"Fe3+", "O"}, some(), o).warnings.empty());
}

TEST(WaasmaierKirfel, GivesTheNumberOfElectrons) {
  for (const auto& row : waasmaierKirfelTable())
    EXPECT_NEAR(waasmaierKirfel(row.z, row.charge, Eigen::VectorXd::Zero(1))(0), row.z - row.charge, 0.07)
        << row.z << " " << row.charge;
  EXPECT_EQ(waasmaierKirfelTable().size(), 209u);
  EXPECT_THROW(waasmaierKirfel(8, 1, some()), Error);
  EXPECT_THROW(waasmaierKirfel(8, 0, Eigen::VectorXd::Constant(1, 80)), Error);
}

TEST(Dispersion, IsReadFromAFile) {
  const test::Folder folder;
  const std::string file = folder / "f.csv";
  std::ofstream(file) << "# 7.7 keV\natom,f1,f2\nCo,-5.5,0.6\nO2-, 0.05 ,0.03\n";
  const auto table = readDispersion(file);
  EXPECT_EQ(table.at("Co").real, -5.5);
  EXPECT_EQ(table.at("O2-").imaginary, 0.03);
  for (const char* text :
       {"Co,1\n", "Co,a,b\nO,1,2\nO,x,1\n", "Qq,1,2\n", "Co,1,nan\n", "atom,f2,f1\nCo,0.6,-5.5\n",
        "energy,f1,f2\nCo,-5.5,0.6\n", "atom,f1,mu\nCo,-5.5,0.6\n"}) {
    std::ofstream(file) << text;
    EXPECT_THROW(readDispersion(file), Error) << text;
  }
  EXPECT_THROW(readDispersion("/nonexistent"), Error);
}

}  // namespace
}  // namespace prophet
