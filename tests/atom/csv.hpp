#pragma once
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "test_paths.hpp"

namespace prophet::test {

/// Rows of the file tests/NAME by column name, without # comments. None of those files quotes a field.
inline std::vector<std::map<std::string, std::string>> readCsv(const std::string& name) {
  std::ifstream in(std::string(PROPHET_SOURCE_DIR) + "/tests/" + name);
  if (!in) throw std::runtime_error("no file tests/" + name);
  std::vector<std::string> header;
  std::vector<std::map<std::string, std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> fields;
    std::istringstream text(line);
    for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
    if (header.empty()) {
      header = fields;
      continue;
    }
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < header.size(); ++i) row[header[i]] = i < fields.size() ? fields[i] : "";
  }
  return rows;
}

}  // namespace prophet::test
