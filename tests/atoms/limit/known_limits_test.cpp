#include "atoms/limit/known_limits.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

AtomProblem neutral(int z, NuclearModel model) {
  NucleusRequest nucleus;
  nucleus.charge = z;
  nucleus.model = model;
  return {makeNucleus(nucleus), parseConfiguration(groundConfiguration(z)), {}};
}

TEST(KnownLimits, EveryNeutralAtomWithGaussianAndPointNucleus) {
  const KnownLimits table;
  EXPECT_EQ(table.all().size(), 2u * 118u);
  for (int z = 1; z <= 118; ++z) {
    const auto gaussian = table.of(neutral(z, NuclearModel::Gaussian));
    const auto point = table.of(neutral(z, NuclearModel::Point));
    ASSERT_TRUE(gaussian && point) << z;
    EXPECT_LT(point->energy, gaussian->energy) << z;
    EXPECT_LT(gaussian->estimatedError, 1e-10 * -gaussian->energy) << z;
    EXPECT_LT(point->estimatedError, 1e-10 * -point->energy) << z;
  }
}

TEST(KnownLimits, OtherProblemsAreNotKnown) {
  const KnownLimits table;
  AtomProblem problem = neutral(10, NuclearModel::Gaussian);
  ASSERT_TRUE(table.of(problem));
  problem.hamiltonian.speedOfLight = 137.0;
  EXPECT_FALSE(table.of(problem));
  problem = neutral(10, NuclearModel::Gaussian);
  problem.hamiltonian.repulsion = TwoElectronOperator::CoulombBreit;
  EXPECT_FALSE(table.of(problem));
  problem = neutral(10, NuclearModel::Gaussian);
  problem.nucleus.exponent *= 1.001;
  EXPECT_FALSE(table.of(problem));
  problem = neutral(10, NuclearModel::Gaussian);
  problem.configuration = parseConfiguration("1s2 2s2 2p5 3s1");
  EXPECT_FALSE(table.of(problem));
  problem.configuration = parseConfiguration("1s2 2s2 2p6");  // the same, written out
  EXPECT_TRUE(table.of(problem));
  EXPECT_FALSE(table.of(neutral(10, NuclearModel::Sphere)));
}

/// Figures of another program, finite differences (basis_sets/reference), with point nuclei.
TEST(KnownLimits, AgreesWithTheReferenceEnergies) {
  const KnownLimits table;
  int compared = 0;
  for (const CsvRow& row : readCsv(PROPHET_SOURCE_DIR "/basis_sets/reference/numerical_energies.csv")) {
    if (row.fields.size() < 9 || row.fields[3] != "point") continue;
    AtomProblem problem = neutral(std::stoi(row.fields[0]), NuclearModel::Point);
    problem.configuration = parseConfiguration(row.fields[2]);
    const auto known = table.of(problem);
    if (!known) continue;  // another configuration than the ground state's
    const double energy = std::stod(row.fields[6]);
    EXPECT_NEAR(known->energy, energy, 1e-11 * -energy) << row.fields[1];
    ++compared;
  }
  EXPECT_GT(compared, 90);
}

class AFolder : public ::testing::Test {
 protected:
  AFolder() : folder_(std::filesystem::temp_directory_path() / ("limits-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "default") << "mine\n";
  }
  ~AFolder() override { std::filesystem::remove_all(folder_); }
  std::string complaint(const std::string& text) const {
    std::ofstream(folder_ / "limits.csv") << text;
    try {
      const KnownLimits table(folder_);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  const std::filesystem::path folder_;
};

TEST_F(AFolder, WithoutATableKnowsNone) { EXPECT_TRUE(KnownLimits(folder_).all().empty()); }

TEST_F(AFolder, DamagedTablesAreNamedWithTheirLine) {
  const std::string head =
      "Z,symbol,configuration,nucleus,nuclear_exponent,c_au,energy_hartree,estimated_error_hartree\n";
  EXPECT_EQ(complaint(head + "2,He,1s2,point,,137.03599976,-2.86,1e-13\n"), "");
  EXPECT_NE(complaint("Z,energy\n").find("limits.csv:1: error: expected the columns"), std::string::npos);
  EXPECT_NE(complaint(head + "2,He,1s2,point,,137.0,x,1\n").find("limits.csv:2: error: 'x' is not a number"),
            std::string::npos);
  EXPECT_NE(complaint(head + "3,He,1s2,point,,137.0,-2,1\n").find("'He' is not the element 3"),
            std::string::npos);
  EXPECT_NE(complaint(head + "2,He,1s2,disc,,137.0,-2,1\n").find("disc"), std::string::npos);
  EXPECT_NE(complaint(head + "2,He\n").find("expected 8 fields"), std::string::npos);
}

}  // namespace
}  // namespace prophet
