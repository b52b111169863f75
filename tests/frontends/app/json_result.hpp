#pragma once
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "run_program.hpp"

namespace prophet::test {

inline constexpr double kInverseCentimetres = 219474.63136314;  // in a hartree

/// What the program writes as JSON; its status must be 0.
inline nlohmann::json jsonResult(const Scratch& s, const std::string& arguments) {
  const ProgramRun o = s.run(arguments + " --quiet --json result.json");
  EXPECT_EQ(o.status, 0) << arguments << ": " << o.err;
  return nlohmann::json::parse(readFile(s.path() / "result.json"));
}

}  // namespace prophet::test
