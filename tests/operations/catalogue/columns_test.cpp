#include <gtest/gtest.h>

#include <set>

#include "operations/catalogue/operation.hpp"

namespace prophet {
namespace {

std::vector<std::string> headingOf(const Record& record) {
  std::vector<std::string> keys;
  for (const Column& c : record.tables.front().columns)
    for (const Column& part : c.parts()) keys.push_back(part.key);
  return keys;
}

TEST(Columns, HaveMeaningsAndOneNameInATable) {
  std::size_t tables = 0;
  for (const Operation& o : operations()) {
    if (!o.tables) continue;
    for (const Table& t : o.tables()) {
      ++tables;
      EXPECT_EQ(t.rows(), 0) << o.name;
      std::set<std::string> keys;
      for (const Column& c : t.columns) {
        EXPECT_FALSE(c.meaning.empty()) << o.name << " " << c.key;
        EXPECT_TRUE(keys.insert(c.key).second) << o.name << " " << c.key;
      }
    }
  }
  EXPECT_GT(tables, 20U);
}

TEST(Columns, OfRecordsAreThoseThatTheirOperationDeclares) {
  const std::pair<const char*, Json> requests[] = {{"shape", {{"sphere", 10}, {"q", {{0, 0, 0.1}}}}},
                                                   {"structure", {{"crystal", "CoO"}, {"shape", "sphere:6"}}},
                                                   {"energy", {{"atom", "He"}, {"hamiltonian", "nonrel"}}}};
  for (const auto& [name, values] : requests) {
    const Operation& o = *findOperation(name);
    const std::vector<std::string> declared = o.csvHeadings().front().columns;
    const std::set<std::string> known(declared.begin(), declared.end());
    for (const std::string& key : headingOf(o.run(values, {})))
      EXPECT_TRUE(known.contains(key)) << name << " " << key;
  }
}

TEST(Columns, OfAnotherFirstTableAreNamedWithTheirSetting) {
  const std::vector<CsvHeading> headings = findOperation("pairs")->csvHeadings();
  ASSERT_EQ(headings.size(), 2U);
  EXPECT_EQ(headings[0].columns.front(), "r");
  EXPECT_EQ(headings[1].with, "sq");
  EXPECT_EQ(headings[1].columns, (std::vector<std::string>{"q", "S", "S_A-B"}));
}

}  // namespace
}  // namespace prophet
