#include <gtest/gtest.h>

#include <cmath>

#include "run_program.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> filesIn(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(PROPHET_SOURCE_DIR "/" + folder)) {
    if (entry.path().extension() == ".inp") files.push_back(folder + "/" + entry.path().filename().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Every example is right, the large ones of inputs/thesis included.
TEST(Examples, AllPassTheCheck) {
  const test::Scratch s;
  for (const char* folder : {"inputs", "inputs/thesis"}) {
    ASSERT_FALSE(filesIn(folder).empty()) << folder;
    for (const std::string& file : filesIn(folder)) {
      const test::ProgramRun o = s.run("'" PROPHET_SOURCE_DIR "/" + file + "' --check");
      EXPECT_EQ(o.status, 0) << file << ": " << o.err;
    }
  }
}

class Example : public ::testing::TestWithParam<std::string> {};

/// Every example runs and converges, on a copy: optimisations leave files beside their input.
TEST_P(Example, Runs) {
  const test::Scratch s;
  s.write("example.inp", test::readFile(PROPHET_SOURCE_DIR "/" + GetParam()));
  s.write("mgo.cif", test::readFile(PROPHET_SOURCE_DIR "/inputs/mgo.cif"));  // that an example names
  const test::ProgramRun o = s.run("example.inp --quiet");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_LT(std::stod(o.out), 0.0);
}

std::string nameOfCase(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = fs::path(info.param).stem().string();
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Inputs, Example, ::testing::ValuesIn(filesIn("inputs")), nameOfCase);

}  // namespace
}  // namespace prophet
