// Every row of the reference tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "atoms/limit/limit.hpp"
#include "reference_row.hpp"

namespace prophet {
namespace {

TEST(LimitReferenceTable, EveryEnergyAgreesTo1e12) {
  const auto rows = test::readReferenceRows();
  ASSERT_EQ(rows.size(), 121u);
  double worst = 0;
  for (const auto& row : rows) {
    LimitOptions options;
    options.speedOfLight = row.speedOfLight;
    const LimitResult result = numericalLimit(row.nucleus, parseConfiguration(row.configuration), options);
    const double difference = std::abs(result.energy - row.energy) / std::abs(row.energy);
    EXPECT_TRUE(result.converged) << row.symbol << " " << row.nucleusName;
    EXPECT_LT(difference, 1e-12) << row.symbol << " " << row.nucleusName;
    EXPECT_LT(result.estimatedError, 1e-10 * std::abs(row.energy)) << row.symbol << " " << row.nucleusName;
    worst = std::max(worst, difference);
  }
  RecordProperty("worst_relative_difference", std::to_string(worst * 1e15) + "e-15");
}

TEST(LimitReferenceTable, EverySpinorEnergyAgreesTo1e8) {
  std::map<std::string, LimitResult> results;
  const auto rows = test::readReferenceSpinors();
  ASSERT_EQ(rows.size(), 90u);
  for (const auto& row : rows) {
    const std::string key = row.symbol + row.nucleusName;
    if (results.count(key) == 0) {
      results[key] = numericalLimit(row.nucleus, parseConfiguration("[" + row.symbol + "]"));
    }
    const auto& spinors = results[key].spinors;
    const std::string label = row.label.back() == 's' ? row.label + "1/2" : row.label;
    const auto found =
        std::find_if(spinors.begin(), spinors.end(), [&](const LimitSpinor& s) { return s.label == label; });
    ASSERT_NE(found, spinors.end()) << key << " " << label;
    EXPECT_NEAR(found->energy, row.energy, 1e-8) << key << " " << label;
  }
}

}  // namespace
}  // namespace prophet
