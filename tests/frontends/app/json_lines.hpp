#pragma once
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace prophet::test {

/// Lines of a batch's output by id; fails on damaged lines and on an id that comes twice.
inline std::map<std::string, nlohmann::json> linesOf(const std::filesystem::path& path) {
  std::map<std::string, nlohmann::json> lines;
  std::istringstream in(readFile(path));
  for (std::string line; std::getline(in, line);) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object()) {
      ADD_FAILURE() << "damaged: " << line;
      continue;
    }
    EXPECT_TRUE(lines.emplace(json.at("id"), json).second) << line << " came twice";
  }
  return lines;
}

}  // namespace prophet::test
