#include "matter/powder/amplitudes.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/common/error.hpp"
#include "matter/powder/waasmaier_kirfel.hpp"

namespace prophet {
namespace {

class CacheFolder {
 public:
  CacheFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "prophet-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  ~CacheFolder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

Eigen::VectorXd some() { return Eigen::VectorXd::LinSpaced(23, 0, 11.3); }

TEST(Amplitudes, OfNeutronsAndConstants) {
  AmplitudeOptions o;
  o.source = AmplitudeSource::Neutron;
  EXPECT_EQ(amplitudesOf({"Co2+", "O"}, some(), o).values(3, 0).real(), 2.49);
  EXPECT_EQ(*neutronLength(1), -3.739);
  EXPECT_FALSE(neutronLength(86));
  EXPECT_THROW(amplitudesOf({"Rn"}, some(), o), Error);
  o.source = AmplitudeSource::Constant;
  EXPECT_EQ(amplitudesOf({"Rn"}, some(), o).values(3, 0).real(), 1);
  o.source = AmplitudeSource::Computed;
  EXPECT_THROW(amplitudesOf({"Rn"}, some(), o), Error);  // by nobody
  for (const auto& [name, source] : amplitudeSources()) EXPECT_EQ(nameOf(source), name);
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
  const CacheFolder folder;
  const std::string file = (folder.path / "f.csv").string();
  std::ofstream(file) << "# 7.7 keV\natom,f1,f2\nCo,-5.5,0.6\nO2-, 0.05 ,0.03\n";
  const auto table = readDispersion(file);
  EXPECT_EQ(table.at("Co").real, -5.5);
  EXPECT_EQ(table.at("O2-").imaginary, 0.03);
  for (const char* text : {"Co,1\n", "Co,a,b\nO,1,2\nO,x,1\n", "Qq,1,2\n", "Co,1,nan\n"}) {
    std::ofstream(file) << text;
    EXPECT_THROW(readDispersion(file), Error) << text;
  }
  EXPECT_THROW(readDispersion("/nonexistent"), Error);
}

}  // namespace
}  // namespace prophet
