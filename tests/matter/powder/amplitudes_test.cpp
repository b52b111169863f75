#include "matter/powder/amplitudes.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <fstream>

#include "core/common/error.hpp"
#include "matter/powder/computed_factors.hpp"
#include "matter/powder/neutron_lengths.hpp"
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

TEST(Amplitudes, ComputedOnesAreNearThePublishedFits) {
  AmplitudeOptions o;
  const Amplitudes ours = amplitudesOf({"Ne", "Na+"}, some(), o);
  o.source = AmplitudeSource::WaasmaierKirfel;
  const Amplitudes fits = amplitudesOf({"Ne", "Na+"}, some(), o);
  EXPECT_LT((ours.values - fits.values).cwiseAbs().maxCoeff(), 0.05);
  EXPECT_GT((ours.values - fits.values).cwiseAbs().maxCoeff(), 0);
  EXPECT_NEAR(ours.values(0, 0).real(), 10, 1e-8);
  EXPECT_NE(ours.provenance[1].find("cudaprophet"), std::string::npos);
}

TEST(Amplitudes, TheCacheIsReadAndDamagedFilesAreReplaced) {
  const CacheFolder folder;
  AmplitudeOptions o;
  o.cache = folder.path / "new";
  const Eigen::MatrixXcd first = amplitudesOf({"He"}, some(), o).values;
  const auto file = o.cache / "He.json";
  ASSERT_TRUE(std::filesystem::exists(file));
  EXPECT_EQ(amplitudesOf({"He"}, some(), o).values, first);
  const auto size = std::filesystem::file_size(file);
  std::filesystem::resize_file(file, size / 2);
  EXPECT_EQ(amplitudesOf({"He"}, some(), o).values, first);
  EXPECT_EQ(std::filesystem::file_size(file), size);
  // A whole file with the provenance of today is read.
  std::string text;
  std::getline(std::ifstream(file) >> std::ws, text);
  std::string marked = text;
  marked.replace(marked.find("\"warning\":\"\""), 12, "\"warning\":\"read\"");
  std::ofstream(file) << marked << "\n";
  EXPECT_EQ(amplitudesOf({"He"}, some(), o).warnings, std::vector<std::string>{"read"});
  // One whose numbers have been changed is not: f(0) is the number of electrons, and a sum is kept of the
  // others.
  for (const bool first_ : {true, false}) {
    std::string wrong = text;
    const auto begin = first_ ? wrong.find("\"f\":[") + 5 : wrong.find(',', wrong.find("\"f\":[")) + 1;
    wrong.replace(begin, wrong.find(',', begin) - begin, "2.5");
    std::ofstream(file) << wrong << "\n";
    EXPECT_EQ(amplitudesOf({"He"}, some(), o).values, first);
  }
}

TEST(Amplitudes, TheCacheFollowsNoLinksAndOpensNoPipes) {
  const CacheFolder folder;
  AmplitudeOptions o;
  o.cache = folder.path;
  std::ofstream(folder.path / "victim") << "mine\n";
  std::filesystem::create_symlink(folder.path / "victim", folder.path / "He.json");
  ASSERT_EQ(::mkfifo((folder.path / "H.json").c_str(), 0600), 0);
  EXPECT_NEAR(amplitudesOf({"He", "H"}, some(), o).values(0, 0).real(), 2, 1e-8);
  std::string text;
  std::getline(std::ifstream(folder.path / "victim"), text);
  EXPECT_EQ(text, "mine");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path / "He.json"));
  EXPECT_TRUE(std::filesystem::is_fifo(folder.path / "H.json"));
}

TEST(Amplitudes, InterpolationIsExactEnough) {
  const ComputedFactor f = computedFactor({"Be", 4, 0, ""}, "", "");
  // Every second sample left out: an error that is 64 times larger.
  ComputedFactor coarse = f;
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(200, 0.01, 29.9);
  for (Eigen::Index i = 0; 2 * i < f.samples.size(); ++i) coarse.samples(i) = f.samples(2 * i);
  EXPECT_LT((coarse.at(q / 2) - f.at(q)).head(190).cwiseAbs().maxCoeff(), 64 * 1e-7);
  EXPECT_THROW(f.at(Eigen::VectorXd::Constant(1, 61)), Error);
}

TEST(Amplitudes, AnUnboundIonIsWarnedOf) {
  const Amplitudes a = amplitudesOf({"O2-"}, Eigen::VectorXd::Zero(1), {});
  ASSERT_EQ(a.warnings.size(), 1u);
  EXPECT_NE(a.warnings[0].find("O2- is not bound"), std::string::npos);
}

TEST(Amplitudes, OfNeutronsAndConstants) {
  AmplitudeOptions o;
  o.source = AmplitudeSource::Neutron;
  EXPECT_EQ(amplitudesOf({"Co2+", "O"}, some(), o).values(3, 0).real(), 2.49);
  EXPECT_EQ(*neutronLength(1), -3.739);
  EXPECT_FALSE(neutronLength(86));
  EXPECT_THROW(amplitudesOf({"Rn"}, some(), o), Error);
  o.source = AmplitudeSource::Constant;
  EXPECT_EQ(amplitudesOf({"Rn"}, some(), o).values(3, 0).real(), 1);
  EXPECT_THROW(amplitudeSourceNamed("x"), Error);
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
