#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/common/constants.hpp"
#include "operations/catalogue/operation.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

Json linesOf(const Json& settings) {
  Execution execution;
  execution.basisSets = std::string(PROPHET_SOURCE_DIR) + "/basis_sets";
  return recordJson(findOperation("lines")->run(settings, execution));
}

TEST(CalibratedLines, HaveErrorsOfTheirEnergies) {
  const Json r = linesOf({{"atom", "Ce2+"},
                          {"configs", "4f2 | 4f 5d"},
                          {"calibrate", "nist"},
                          {"multipoles", "E1"},
                          {"least_gf", 1e-3}});
  EXPECT_GT(r["lines"][0]["energy_error"].get<double>() * constants::kInverseCentimetresPerHartree, 10);
  EXPECT_LT(r["lines"][0]["energy_error"].get<double>() * constants::kInverseCentimetresPerHartree, 2000);
  for (const auto& line : r["lines"]) {
    EXPECT_GE(line["log_gf_error"].get<double>(), 0.2);
    EXPECT_LE(line["log_gf_error"].get<double>(), 2);
  }
  EXPECT_TRUE(r["levels"][3].contains("error"));
}

// Strengths by the rule and by the fit differ as their errors say, and strong lines have small ones.
TEST(CalibratedLines, ErrorsOfStrengthsAreThoseBetweenTwoCalibrations) {
  Json scandium{{"atom", "Sc+"}, {"configs", "3d 4s | 3d2 | 4s2 | 3d 4p | 4s 4p"}, {"multipoles", "E1"}};
  const Json rule = linesOf(scandium);
  scandium["calibrate"] = "nist";
  const Json fit = linesOf(scandium);
  const auto nameOf = [](const Json& line) {
    std::string name;
    for (const char* key : {"lower_label", "upper_label"}) name += line[key].get<std::string>() + " ";
    return name + line["lower_J"].dump() + " " + line["upper_J"].dump();
  };
  std::map<std::string, const Json*> others;
  for (const auto& line : rule["lines"]) others[nameOf(line)] = &line;
  std::vector<double> strong, weak;
  int compared = 0, inside = 0;
  for (const auto& line : fit["lines"]) {
    const double error = line["log_gf_error"], gf = line["gf"];
    (gf > 0.1 ? strong : weak).push_back(error);
    const auto other = others.find(nameOf(line));
    if (other == others.end()) continue;
    ++compared;
    inside += std::abs(std::log10(gf / (*other->second)["gf"].get<double>())) <=
                      std::hypot(error, (*other->second)["log_gf_error"].get<double>())
                  ? 1
                  : 0;
  }
  EXPECT_GT(compared, 50);
  EXPECT_GT(inside, 0.68 * compared);
  const auto median = [](std::vector<double> list) {
    std::ranges::sort(list);
    return list.at(list.size() / 2);
  };
  EXPECT_LT(median(strong), 0.35);
  EXPECT_GT(median(weak), median(strong));
  // Without a calibration there is none.
  scandium["calibrate"] = "none";
  EXPECT_EQ(linesOf(scandium)["lines"][0]["log_gf_error"], 0);
}

}  // namespace
}  // namespace prophet
