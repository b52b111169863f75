#include "atoms/service/json_lines.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "atoms/calculation/result.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

const std::string kGood = "{\"id\":\"a\",\"status\":\"converged\",\"energy\":-1.0}\n";
const std::string kBad = "{\"id\":\"b\",\"status\":\"failed\",\"reason\":\"r\"}\n";

TEST(JsonLines, KnowWhatIsFinished) {
  const JsonLinesText text = parseJsonLines(kGood + kBad + "{\"id\":\"c", "f");
  EXPECT_EQ(text.finished, std::set<std::string>{"a"});
  EXPECT_EQ(text.otherwise, std::set<std::string>{"b"});
  EXPECT_EQ(text.wholeBytes, kGood.size() + kBad.size());
}

TEST(JsonLines, TheLastLineOfAJobCounts) {
  std::string again = kBad;
  again.replace(again.find("failed"), 6, "converged");
  EXPECT_EQ(parseJsonLines(kBad + again, "f").finished, std::set<std::string>{"b"});
  EXPECT_TRUE(parseJsonLines(kBad + again, "f").otherwise.empty());
}

TEST(JsonLines, ForeignTextsAreRefused) {
  for (const std::string& text :
       {std::string("notes"), std::string("{\"ident"), std::string("x\n"), kGood + "\n", kGood + "notes",
        kGood + std::string(10, '\0'), std::string("{\"id\":1}\n"), std::string("[]\n")}) {
    EXPECT_THROW(parseJsonLines(text, "f"), Error) << text;
  }
}

TEST(JsonLines, AChangedByteIsRefused) {
  Result result;
  result.status = Status::Converged;
  result.energy.total = -2.8618133088361697;
  const std::string line = jsonLine("He", result, {{kInputChecksum, "00c0ffee"}});
  const JsonLinesText text = parseJsonLines(line + kGood, "f");  // the second one is of an earlier version
  EXPECT_EQ(text.finished, (std::set<std::string>{"He", "a"}));
  EXPECT_EQ(text.inputs.at("He"), "00c0ffee");
  EXPECT_EQ(text.inputs.at("a"), "");
  std::string windows = line;
  windows.insert(windows.size() - 1, "\r");
  EXPECT_EQ(parseJsonLines(windows, "f").finished, std::set<std::string>{"He"});
  const std::size_t end = line.find("\"checksum\"");
  ASSERT_NE(end, std::string::npos);
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    std::string changed = line;
    changed[i] ^= 1;
    if (i >= end && i < end + 10) continue;  // without the key it is the line of an earlier version
    EXPECT_THROW(parseJsonLines(changed, "f"), Error) << changed;
  }
  std::string other = line;
  other.replace(other.find("-2.86"), 5, "-2.87");
  try {
    parseJsonLines(kGood + other, "f");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()).rfind("f:2: the line of He is not as a batch wrote it", 0), 0u)
        << e.what();
  }
}

TEST(JsonLines, AFileIsLeftAsItIsWhereItIsForeign) {
  const fs::path path = fs::temp_directory_path() / ("prophet-lines-" + std::to_string(::getpid()));
  std::ofstream(path) << kGood + "notes";
  EXPECT_THROW(JsonLinesFile(path, true), Error);
  EXPECT_EQ(fs::file_size(path), kGood.size() + 5);
  std::ofstream(path) << kGood + kBad + "{\"id";
  EXPECT_EQ(JsonLinesFile(path, true, Retry::Failed).ids(), std::set<std::string>{"a"});
  EXPECT_EQ(fs::file_size(path), kGood.size() + kBad.size());
  EXPECT_EQ(JsonLinesFile(path, true).ids(), (std::set<std::string>{"a", "b"}));
  fs::remove(path);
}

}  // namespace
}  // namespace prophet
