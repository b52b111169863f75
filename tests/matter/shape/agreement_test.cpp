#include "matter/shape/agreement.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/common/error.hpp"

namespace prophet {
namespace {

TEST(Agreement, FindsScaleAndBackground) {
  const Eigen::VectorXd computed = (Eigen::VectorXd(5) << 1e9, 4e9, 2e9, 5e9, 3e9).finished(),
                        measured = (3e-9 * computed).array() + 2, ones = Eigen::VectorXd::Ones(5);
  const Agreement a = agreementOf(measured, ones, computed, true);
  EXPECT_NEAR(a.scale, 3e-9, 1e-22);
  EXPECT_NEAR(a.background, 2, 1e-12);
  EXPECT_LT(a.r, 1e-14);
  const Agreement without = agreementOf(measured, ones, computed, false);
  EXPECT_EQ(without.background, 0);
  EXPECT_GT(without.r, 0.05);
}

/// By hand: scale 1.5, differences -0.5, 0.5 ... of two levels.
TEST(Agreement, HasTheFactorsOfTheirDefinition) {
  const Eigen::VectorXd computed = Eigen::VectorXd::Ones(4);
  const Eigen::VectorXd measured = (Eigen::VectorXd(4) << 1, 2, 1, 2).finished();
  const Agreement a = agreementOf(measured, 0.5 * computed, computed, false);
  EXPECT_NEAR(a.scale, 1.5, 1e-14);
  EXPECT_NEAR(a.r, 2.0 / 6, 1e-14);
  EXPECT_NEAR(a.rWeighted, std::sqrt(1.0 / 10), 1e-14);
  EXPECT_NEAR(a.chiSquared, 4.0 / 3, 1e-14);
}

TEST(Agreement, SaysWhatIsWrong) {
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(4);
  EXPECT_THROW(agreementOf(ones, ones, ones, true), Error);
  EXPECT_THROW(agreementOf(ones, ones, Eigen::VectorXd::Zero(4), false), Error);
  EXPECT_THROW(agreementOf(ones.head(2), ones.head(2), ones.head(2), false), Error);
}

}  // namespace
}  // namespace prophet
