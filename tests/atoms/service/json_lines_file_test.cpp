#include "atoms/service/json_lines.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

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
