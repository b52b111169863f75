#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/common/csv.hpp"
#include "test_paths.hpp"

namespace prophet::test {

/// Rows of the file tests/NAME by column name.
inline std::vector<std::map<std::string, std::string>> readCsv(const std::string& name) {
  const std::vector<CsvRow> table = prophet::readCsv(std::string(PROPHET_SOURCE_DIR) + "/tests/" + name);
  std::vector<std::map<std::string, std::string>> rows;
  for (std::size_t i = 1; i < table.size(); ++i) {
    auto& row = rows.emplace_back();
    for (std::size_t c = 0; c < table[0].fields.size(); ++c) row[table[0].fields[c]] = table[i].fields.at(c);
  }
  return rows;
}

}  // namespace prophet::test
