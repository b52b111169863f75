#include "atoms/scf/fock_mixer.hpp"

#include <gtest/gtest.h>

#include "tests/core/linalg/random_matrix.hpp"

namespace prophet {
namespace {

/// A linear problem A x = b with error b - A x: DIIS must solve it exactly once its space spans everything.
TEST(Diis, SolvesALinearProblem) {
  const int n = 4;
  Eigen::MatrixXd a = test::randomMatrix(n, n, 1);
  a = a * a.transpose() + Eigen::MatrixXd::Identity(n, n);
  const Eigen::MatrixXd b = test::randomMatrix(n, 1, 2);
  std::vector<Eigen::MatrixXd> x{Eigen::MatrixXd::Zero(n, 1)};
  Diis diis(8);
  for (int i = 0; i < 6; ++i) {
    const std::vector<Eigen::MatrixXd> error{b - a * x[0]};
    diis.extrapolate(x, error);
    x[0] += 0.1 * (b - a * x[0]);
  }
  EXPECT_LT((a * x[0] - b).norm(), 1e-8);
}

TEST(Diis, FirstCallChangesNothingAndCoefficientsSumToOne) {
  Diis diis(3);
  std::vector<Eigen::MatrixXd> f{Eigen::MatrixXd::Constant(2, 2, 5.0)};
  diis.extrapolate(f, {Eigen::MatrixXd::Constant(2, 2, 1.0)});
  EXPECT_NEAR(f[0](0, 1), 5.0, 1e-14);
  // All stored matrices equal: any combination that sums to one gives them back.
  for (unsigned seed = 1; seed <= 10; ++seed) {
    f[0].setConstant(5.0);
    diis.extrapolate(f, {test::randomMatrix(2, 2, seed)});
    EXPECT_NEAR(f[0](1, 1), 5.0, 1e-10);
  }
}

TEST(Diis, SurvivesRepeatedAndZeroErrors) {
  Diis diis(4);
  for (int i = 0; i < 6; ++i) {
    std::vector<Eigen::MatrixXd> f{Eigen::MatrixXd::Identity(3, 3)};
    diis.extrapolate(f, {i < 4 ? Eigen::MatrixXd::Ones(3, 3) : Eigen::MatrixXd::Zero(3, 3)});
    EXPECT_TRUE(f[0].allFinite());
    EXPECT_NEAR(f[0](2, 2), 1.0, 1e-9);
  }
}

}  // namespace
}  // namespace prophet
