#include "operations/materials/many_atoms.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <fstream>

#include "core/common/error.hpp"
#include "tests/core/common/folder.hpp"

namespace prophet {
namespace {

AmplitudeOptions computedIn(const std::filesystem::path& cache) {
  AmplitudeOptions o;
  o.computed = computedAmplitudes("", cache);
  return o;
}

Eigen::VectorXd some() { return Eigen::VectorXd::LinSpaced(23, 0, 11.3); }

TEST(ComputedFactors, ComputedOnesAreNearThePublishedFits) {
  AmplitudeOptions o = computedIn("");
  const Amplitudes ours = amplitudesOf({"Ne", "Na+"}, some(), o);
  o.source = AmplitudeSource::WaasmaierKirfel;
  const Amplitudes fits = amplitudesOf({"Ne", "Na+"}, some(), o);
  EXPECT_LT((ours.values - fits.values).cwiseAbs().maxCoeff(), 0.05);
  EXPECT_GT((ours.values - fits.values).cwiseAbs().maxCoeff(), 0);
  EXPECT_NEAR(ours.values(0, 0).real(), 10, 1e-8);
  EXPECT_NE(ours.provenance[1].find("cudaprophet"), std::string::npos);
}

TEST(ComputedFactors, TheCacheIsReadAndDamagedFilesAreReplaced) {
  const test::Folder folder;
  const auto cache = folder.path() / "new";
  const AmplitudeOptions o = computedIn(cache);
  const Eigen::MatrixXcd first = amplitudesOf({"He"}, some(), o).values;
  const auto file = cache / "He.json";
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

TEST(ComputedFactors, TheCacheFollowsNoLinksAndOpensNoPipes) {
  const test::Folder folder;
  const AmplitudeOptions o = computedIn(folder.path());
  std::ofstream(folder.path() / "victim") << "mine\n";
  std::filesystem::create_symlink(folder.path() / "victim", folder.path() / "He.json");
  ASSERT_EQ(::mkfifo((folder.path() / "H.json").c_str(), 0600), 0);
  EXPECT_NEAR(amplitudesOf({"He", "H"}, some(), o).values(0, 0).real(), 2, 1e-8);
  std::string text;
  std::getline(std::ifstream(folder.path() / "victim"), text);
  EXPECT_EQ(text, "mine");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "He.json"));
  EXPECT_TRUE(std::filesystem::is_fifo(folder.path() / "H.json"));
}

TEST(ComputedFactors, InterpolationIsExactEnough) {
  const ComputedFactor f = computedFactor({"Be", 4, 0, ""}, "", "");
  // Every second sample left out: an error that is 64 times larger.
  ComputedFactor coarse = f;
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(200, 0.01, 29.9);
  for (Eigen::Index i = 0; 2 * i < f.samples.size(); ++i) coarse.samples(i) = f.samples(2 * i);
  EXPECT_LT((coarse.at(q / 2) - f.at(q)).head(190).cwiseAbs().maxCoeff(), 64 * 1e-7);
  EXPECT_THROW(f.at(Eigen::VectorXd::Constant(1, 61)), Error);
}

TEST(ComputedFactors, AnUnboundIonIsWarnedOf) {
  const Amplitudes a = amplitudesOf({"O2-"}, Eigen::VectorXd::Zero(1), computedIn(""));
  ASSERT_EQ(a.warnings.size(), 1u);
  EXPECT_NE(a.warnings[0].find("O2- is not bound"), std::string::npos);
}

}  // namespace
}  // namespace prophet
