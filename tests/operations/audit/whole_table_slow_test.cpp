// Everything that `cudaprophet validate` compares.
#include <gtest/gtest.h>

#include <cmath>

#include "atoms/atom/elements.hpp"
#include "operations/audit/validate.hpp"

namespace prophet {
namespace {

ValidationTask wholeTask(ValidateAgainst against) {
  ValidationTask task;
  for (int z = 1; z <= kLastElement; ++z) task.elements.push_back(z);
  task.against = against;
  task.threshold = defaultThreshold(against);
  task.threads = 2;
  return task;
}

void expectAllPass(const std::vector<ValidationRow>& rows) {
  for (const ValidationRow& row : rows)
    EXPECT_TRUE(row.passed) << symbolOf(row.z) << " " << row.basisMinusLimit.value_or(0) << " "
                            << row.failure;
}

TEST(WholeTable, EveryFigure) {
  const auto rows = validate(wholeTask(ValidateAgainst::Reference));
  EXPECT_EQ(rows.size(), 121u);
  expectAllPass(rows);
}

TEST(WholeTable, EverySetOfTheDefaultCollection) {
  const auto rows = validate(wholeTask(ValidateAgainst::Limit));
  EXPECT_EQ(rows.size(), 118u);
  expectAllPass(rows);
}

}  // namespace
}  // namespace prophet
