#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "operations/input/parse_job.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

struct BrokenFile {
  std::string name, text, errors;
};

/// \xHH, \t and \r of the table.
std::string decoded(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string two = text.substr(i, 2);
    if (two == "\\x") {
      result += static_cast<char>(std::stoi(text.substr(i + 2, 2), nullptr, 16));
      i += 3;
    } else if (two == "\\t" || two == "\\r") {
      result += two == "\\t" ? '\t' : '\r';
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::vector<BrokenFile> readTable() {
  std::ifstream stream(PROPHET_SOURCE_DIR "/tests/operations/input/broken_files.txt");
  std::vector<BrokenFile> files;
  bool inErrors = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("### ", 0) == 0) {
      files.push_back({line.substr(4), "", ""});
      inErrors = false;
    } else if (line == "--- errors") {
      inErrors = true;
    } else if (!files.empty()) {
      std::string& part = inErrors ? files.back().errors : files.back().text;
      if (inErrors && line.empty()) continue;
      part += (part.empty() ? "" : "\n") + (inErrors ? line : decoded(line));
    }
  }
  return files;
}

std::string errorsOf(const std::string& text) {
  try {
    parseJob(text, "x.inp");
  } catch (const InputErrors& errors) {
    std::string result;
    for (const Diagnostic& d : errors.diagnostics()) {
      result += (result.empty() ? "" : "\n") + std::to_string(d.line) + ":" + std::to_string(d.column) +
                ": " + d.message;
    }
    return result;
  }
  return "no error";
}

TEST(BrokenFiles, TableIsThere) { EXPECT_GE(readTable().size(), 100u); }

TEST(BrokenFiles, EveryFileGivesExactlyItsErrors) {
  for (const BrokenFile& file : readTable()) {
    ASSERT_FALSE(file.errors.empty()) << file.name;
    EXPECT_EQ(errorsOf(file.text), file.errors) << file.name << "\n" << file.text;
  }
}

TEST(BrokenFiles, FinalNewlineChangesNothing) {
  for (const BrokenFile& file : readTable()) EXPECT_EQ(errorsOf(file.text + "\n"), file.errors) << file.name;
}

}  // namespace
}  // namespace prophet
