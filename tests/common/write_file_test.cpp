#include "common/write_file.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/error.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class WriteFile : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  const fs::path folder_ = fs::temp_directory_path() / ("prophet-write-" + std::to_string(::getpid()));
};

TEST_F(WriteFile, ReplacesTheWholeFileAndLeavesNothingElse) {
  const fs::path file = folder_ / "result.json";
  writeFileAtomically(file, std::string(100000, 'x'));
  writeFileAtomically(file, "short\n");
  EXPECT_EQ(contentOf(file), "short\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(WriteFile, SaysWhyItCannot) {
  try {
    writeFileAtomically(folder_ / "missing" / "a.json", "x");
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("No such file"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace prophet
