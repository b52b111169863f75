#include "linalg/eigen_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "common/error.hpp"

namespace prophet {
namespace {

Eigen::MatrixXd randomSymmetric(int n) {
  const Eigen::MatrixXd m = Eigen::MatrixXd::Random(n, n);
  return m + m.transpose();
}

TEST(EigenSolver, InteriorPairs) {
  EigenSolver solver;
  for (const int n : {1, 2, 7, 40, 64}) {
    const Eigen::MatrixXd a = randomSymmetric(n);
    Eigen::MatrixXd copy = a, vectors, all;
    Eigen::VectorXd values, allValues;
    solver.solve(copy, 0, n, allValues, all);
    const int first = n / 2, count = (n + 3) / 4;
    copy = a;
    solver.solve(copy, first, count, values, vectors);
    ASSERT_EQ(values.size(), count);
    EXPECT_LT((a * vectors - vectors * values.asDiagonal()).norm(), 1e-12 * n);
    EXPECT_LT((vectors.transpose() * vectors - Eigen::MatrixXd::Identity(count, count)).norm(), 1e-12 * n);
    EXPECT_LT((values - allValues.segment(first, count)).norm(), 1e-12 * n);
    EXPECT_NEAR(allValues.sum(), a.trace(), 1e-11 * n);
  }
}

TEST(EigenSolver, NothingAskedNothingGiven) {
  Eigen::MatrixXd a = randomSymmetric(4), vectors;
  Eigen::VectorXd values;
  EigenSolver().solve(a, 2, 0, values, vectors);
  EXPECT_EQ(values.size(), 0);
  EXPECT_EQ(vectors.cols(), 0);
}

TEST(EigenSolver, NotANumberIsAnError) {
  Eigen::MatrixXd a = randomSymmetric(6), vectors;
  a(3, 3) = std::numeric_limits<double>::quiet_NaN();
  Eigen::VectorXd values;
  EXPECT_THROW(EigenSolver().solve(a, 0, 6, values, vectors), Error);
}

/// The BLAS underneath is called from several threads at once.
TEST(EigenSolver, ManyThreadsAgree) {
  const Eigen::MatrixXd a = randomSymmetric(60);
  std::vector<Eigen::VectorXd> values(4);
  std::vector<std::thread> threads;
  for (Eigen::VectorXd& mine : values) {
    threads.emplace_back([&a, &mine] {
      EigenSolver solver;
      for (int i = 0; i < 50; ++i) {
        Eigen::MatrixXd copy = a * a, vectors;
        solver.solve(copy, 0, 60, mine, vectors);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  for (const Eigen::VectorXd& v : values) EXPECT_EQ(v, values[0]);
}

/// Rows of sizes from 1 to 1e14, as Fock matrices with extreme exponents have them: eigenvalues near zero
/// keep their digits. The largest row is eliminated exactly and leaves a 2 x 2 problem to be solved for
/// lambda.
TEST(EigenSolver, KeepsDigitsBesideVeryLargeElements) {
  const double large = 1e14, coupling = 3e7;
  Eigen::MatrixXd a(3, 3), vectors;
  a << -5, 1, 0, 1, 2, coupling, 0, coupling, large;
  Eigen::VectorXd values;
  long double expected = 0;
  for (int i = 0; i < 50; ++i) {
    const long double corner = 2.0L - static_cast<long double>(coupling) * coupling / (large - expected);
    const long double mean = (corner - 5.0L) / 2, half = (corner + 5.0L) / 2;
    expected = mean + std::sqrt(half * half + 1.0L);
  }
  EigenSolver().solve(a, 1, 1, values, vectors);
  EXPECT_NEAR(values(0), static_cast<double>(expected), 1e-12);
  EXPECT_NEAR(vectors.col(0).norm(), 1.0, 1e-12);
}

}  // namespace
}  // namespace prophet
