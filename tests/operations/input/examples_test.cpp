#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "operations/input/parse_job.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

const std::filesystem::path kInputs = PROPHET_SOURCE_DIR "/inputs";

std::vector<std::filesystem::path> examples() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kInputs)) {
    if (entry.path().extension() == ".inp") files.push_back(entry.path());
  }
  return files;
}

std::string contentOf(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

TEST(Examples, AllAreSound) {
  EXPECT_GE(examples().size(), 25u);
  for (const auto& file : examples()) {
    EXPECT_NO_THROW({ EXPECT_FALSE(readJobFile(file.string()).title.empty()) << file; }) << file;
  }
}

TEST(Examples, AllAreInTheReadme) {
  const std::string readme = contentOf(kInputs / "README.md");
  for (const auto& file : examples()) {
    if (file.parent_path().filename() == "thesis") continue;
    EXPECT_NE(readme.find("`" + file.filename().string() + "`"), std::string::npos) << file;
  }
}

TEST(Examples, ThesisSeriesHasItsParameters) {
  for (int functions = 10; functions <= 45; functions += 5) {
    const Job job =
        readJobFile((kInputs / "thesis" / ("rn-nbs" + std::to_string(functions) + ".inp")).string());
    EXPECT_EQ(job.wellTempered.functions, std::vector<int>(7, functions));
    ASSERT_EQ(job.wellTempered.groups.size(), 1u);
    EXPECT_EQ(job.wellTempered.groups[0].alpha, 6.87e-2);
    EXPECT_EQ(job.wellTempered.groups[0].beta, 1.83);
    EXPECT_EQ(job.wellTempered.groups[0].delta, 3.97);
    EXPECT_EQ(job.wellTempered.groups[0].gamma, 0.78);
  }
}

TEST(Examples, RadonHasTheSetOfTheTable) {
  const Job job = readJobFile((kInputs / "rn.inp").string());
  EXPECT_EQ(job.nucleus.model, NuclearModel::Gaussian);
  EXPECT_EQ(job.wellTempered.functions, (std::vector<int>{32, 27, 27, 21, 21, 14, 14}));
  EXPECT_EQ(job.wellTempered.start, (std::vector<int>{1, 1, 1, 3, 3, 6, 6}));
  EXPECT_EQ(job.configuration.closed, (std::vector<int>{6, 5, 5, 3, 3, 1, 1}));
}

}  // namespace
}  // namespace prophet
