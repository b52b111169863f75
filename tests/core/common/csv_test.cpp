#include "core/common/csv.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/common/error.hpp"
#include "core/common/files.hpp"

namespace prophet {
namespace {

using Fields = std::vector<std::string>;

std::vector<Fields> fieldsOf(const std::string& text) {
  std::vector<Fields> fields;
  for (const CsvRow& row : parseCsv(text)) fields.push_back(row.fields);
  return fields;
}

TEST(Csv, FieldsCommentsAndLineEnds) {
  EXPECT_EQ(fieldsOf("# a, b\nZ,name\r\n\r\n1,\n,\n2,a b"),
            (std::vector<Fields>{{"Z", "name"}, {"1", ""}, {"", ""}, {"2", "a b"}}));
  EXPECT_TRUE(parseCsv("").empty());
  EXPECT_TRUE(parseCsv("#").empty());
}

TEST(Csv, Quotes) {
  EXPECT_EQ(fieldsOf("\"a,b\",\"\",\"say \"\"no\"\"\"\n\"x\ny\",z\n"),
            (std::vector<Fields>{{"a,b", "", "say \"no\""}, {"x\ny", "z"}}));
}

TEST(Csv, LinesAreThoseOfTheFile) {
  const std::vector<CsvRow> rows = parseCsv("#\n\na\n\"b\nb\"\nc\n");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].line, 3);
  EXPECT_EQ(rows[1].line, 4);
  EXPECT_EQ(rows[2].line, 6);
}

TEST(Csv, BadQuotesAreErrorsWithTheirLine) {
  for (const char* text : {"a\n\"b", "a\n\"b\" c\n", "a\n\"b\n\n"}) {
    try {
      parseCsv(text);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).rfind("2: error:", 0), 0u) << error.what();
    }
  }
  EXPECT_THROW(readCsv("/no/such/file.csv"), Error);
  EXPECT_THROW(readCsv("/"), Error);
}

TEST(Csv, WhatIsWrittenIsRead) {
  const Fields fields = {"plain", "a,b", "\"", "two\nlines", "", "\r"};
  std::string line;
  for (const std::string& field : fields) (line += line.empty() ? "" : ",") += csvField(field);
  EXPECT_EQ(fieldsOf(line + "\n"), std::vector<Fields>{fields});
}

TEST(Csv, AByteOrderMarkIsNoPartOfTheFirstField) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("prophet-bom-" + std::to_string(::getpid()))).string();
  std::ofstream(path) << "\xEF\xBB\xBF"
                         "Co,1\n";
  EXPECT_EQ(readCsv(path).at(0).fields.at(0), "Co");
  std::filesystem::remove(path);
}

TEST(ReadFile, DevicesWithoutAnEndAreRefused) {
  EXPECT_THROW(readFile("/dev/zero"), Error);
  EXPECT_EQ(readFile("/dev/null"), "");
}

/// A row with a damaged number may not pass as the heading before the first row.
TEST(NumberRows, ADamagedRowOfOneColumnIsNoHeading) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("prophet-rows-" + std::to_string(::getpid()))).string();
  const auto rowsOf = [&](const std::string& first) {
    std::ofstream(path) << first << "\n0.2\n0.3\n";
    return readNumberRows(path, 1, 1, "a radius").rows.size();
  };
  for (const char* damaged : {"0.1x", "1'000", "5*", "0x10", "-.5u"}) {
    try {
      rowsOf(damaged);
      ADD_FAILURE() << damaged;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(std::string(":1: found '") + damaged + "'"), std::string::npos)
          << e.what();
    }
  }
  for (const char* heading : {"r", "radius [bohr]", "2theta", "2_theta", "# 5x"})
    EXPECT_EQ(rowsOf(heading), 2u) << heading;
  EXPECT_EQ(rowsOf("0.1"), 3u);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace prophet
