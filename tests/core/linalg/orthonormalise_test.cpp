#include "core/linalg/eigen_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace prophet {
namespace {

Eigen::MatrixXd ladderOverlap(int n, double ratio) {
  Eigen::MatrixXd s(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double a = std::pow(ratio, i), b = std::pow(ratio, j);
      s(i, j) = std::pow(2 * std::sqrt(a * b) / (a + b), 1.5);
    }
  }
  return s;
}

TEST(Orthonormalise, CholeskyKeepsEveryDirection) {
  const Eigen::MatrixXd s = ladderOverlap(20, 2.0);
  const OrthonormalBasis b = orthonormalise(s, 1e-11);
  EXPECT_EQ(b.dropped, 0);
  EXPECT_EQ(b.x.cols(), 20);
  EXPECT_LT((b.x.transpose() * s * b.x - Eigen::MatrixXd::Identity(20, 20)).norm(), 1e-9);
  EXPECT_LT((b.dual - b.x.transpose() * s).norm(), 1e-9);
  EXPECT_LT((b.dual * b.x - Eigen::MatrixXd::Identity(20, 20)).norm(), 1e-9);
}

TEST(Orthonormalise, NearDependentDirectionsAreRemoved) {
  const Eigen::MatrixXd s = ladderOverlap(20, 1.15);
  const OrthonormalBasis b = orthonormalise(s, 1e-8);
  EXPECT_GT(b.dropped, 0);
  EXPECT_EQ(b.x.cols(), 20 - b.dropped);
  EXPECT_LT((b.x.transpose() * s * b.x - Eigen::MatrixXd::Identity(b.x.cols(), b.x.cols())).norm(), 1e-6);
}

TEST(Orthonormalise, TwiceTheSameFunction) {
  Eigen::MatrixXd s = Eigen::MatrixXd::Ones(2, 2);
  const OrthonormalBasis b = orthonormalise(s, 1e-10);
  EXPECT_EQ(b.dropped, 1);
  EXPECT_NEAR(std::abs(b.x(0, 0)), 0.5, 1e-14);
}

}  // namespace
}  // namespace prophet
