#include "atoms/atom/configuration.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace prophet {
namespace {

std::vector<double> sharesOf(const std::string& configuration) {
  const Eigen::VectorXd shares = openSpinShares(parseConfiguration(configuration));
  return {shares.begin(), shares.end()};
}

TEST(OpenSpinShares, FollowHundsFirstRule) {
  EXPECT_EQ(sharesOf("[Ne]"), std::vector<double>());
  EXPECT_EQ(sharesOf("1s1"), (std::vector<double>{1}));
  // p1/2 and p3/2 of one shell.
  EXPECT_EQ(sharesOf("[He] 2s2 2p3"), (std::vector<double>{1, 1}));
  EXPECT_EQ(sharesOf("[He] 2s2 2p5"), (std::vector<double>{0.2, 0.2}));
  // Chromium's s and d are two shells, iron's d has four of six unpaired.
  EXPECT_EQ(sharesOf("[Ar] 3d5 4s1"), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(sharesOf("[Ar] 3d6 4s2"), (std::vector<double>{4.0 / 6, 4.0 / 6}));
  // Two shells of one l.
  EXPECT_EQ(sharesOf("1s2 2s2 2p5 3p1"), (std::vector<double>{0.2, 1, 0.2, 1}));
}

/// A shell that is closed in one j has room in the other one only.
TEST(OpenSpinShares, CountOpenSpinorsAlone) {
  const Configuration c = averageConfigurations({2, 1, 0}, {false, false, true}, {{1}}, "2p1/2(2) 2p3/2(1)");
  EXPECT_EQ(openSpinShares(c)[0], 1);
}

}  // namespace
}  // namespace prophet
