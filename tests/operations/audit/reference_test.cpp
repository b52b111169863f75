#include "operations/audit/validate.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>

#include "atoms/atom/configuration.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

TEST(ReferenceEnergies, EveryFigureHasSourceNucleusAndSpeedOfLight) {
  const auto rows = shippedReferenceEnergies();
  ASSERT_EQ(rows.size(), 121u);
  int fermi = 0;
  std::set<int> elements;
  for (const ReferenceEnergy& row : rows) {
    elements.insert(row.z);
    EXPECT_FALSE(row.source.empty());
    EXPECT_EQ(row.speedOfLight, constants::kSpeedOfLight);
    EXPECT_LT(row.energy, 0);
    EXPECT_LT(row.estimatedError, 1e-11 * std::abs(row.energy));
    EXPECT_NEAR(parseConfiguration(row.configuration).electrons(), row.z, 1e-12);
    if (row.nucleus.model != NuclearModel::Fermi) continue;
    ++fermi;
    EXPECT_GT(row.nucleus.fermiC, row.nucleus.fermiA);
    EXPECT_LT(row.nucleus.fermiC, 1.5e-4);
  }
  EXPECT_EQ(fermi, 23);
  EXPECT_EQ(elements.size(), 98u);
}

/// Bohr are taken where a row gives both units.
TEST(ReferenceEnergies, HeliumsFermiNucleusIsTakenInBohr) {
  for (const ReferenceEnergy& row : shippedReferenceEnergies()) {
    if (row.z != 2 || row.nucleus.model != NuclearModel::Fermi) continue;
    EXPECT_EQ(row.nucleus.fermiA, 4.300257117433e-06);
    EXPECT_EQ(row.nucleus.fermiC, 3.528436871594e-05);
    return;
  }
  FAIL() << "no such row";
}

class DamagedFigures : public ::testing::TestWithParam<const char*> {};

TEST_P(DamagedFigures, AreErrorsWithFileAndLine) {
  const std::string path = ::testing::TempDir() + "prophet-figures-" + std::to_string(getpid()) + ".csv";
  std::ofstream(path) << "Z,symbol,configuration,nucleus,nucleus_parameters,c_au,energy_hartree,"
                         "estimated_error_hartree,source\n"
                      << GetParam() << "\n";
  try {
    readReferenceEnergies(path);
    ADD_FAILURE() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(path + ":2: error: "), std::string::npos) << e.what();
  }
  std::remove(path.c_str());
}

INSTANTIATE_TEST_SUITE_P(Validate, DamagedFigures,
                         ::testing::Values("2,He,1s2,point,,137,-2.86", "2,He,1s2,point,,137,-2.86x,0,s",
                                           "2,Ne,1s2,point,,137,-2.86,0,s", "2,He,1s2,cube,,137,-2.86,0,s",
                                           "2,He,1s2,Fermi,rms=1.7fm a=0.5fm,137,-2.86,0,s"));

TEST(ReferenceEnergies, AMissingFileIsAnError) { EXPECT_THROW(readReferenceEnergies("/no/such.csv"), Error); }

}  // namespace
}  // namespace prophet
