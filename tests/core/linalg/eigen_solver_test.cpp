#include "core/linalg/eigen_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/common/error.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/dense_kernels.hpp"
#include "random_matrix.hpp"

namespace prophet {
namespace {

Eigen::MatrixXd randomSymmetric(int n) {
  const Eigen::MatrixXd m = test::randomMatrix(n, n, static_cast<unsigned>(n));
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

/// Few pairs of matrices such as Fock matrices are, on every instruction set that this processor has, against
/// all pairs from LAPACK.
TEST(EigenSolver, FewPairsOnEveryInstructionSet) {
  std::vector<const DenseKernels*> sets = {&kBaselineKernels};
#if defined(__x86_64__)
  if (supportsV3()) sets.push_back(&kKernelsV3);
  if (supportsV4()) sets.push_back(&kKernelsV4);
#endif
  for (const int n : {1, 2, 3, 8, 27, 64, 71}) {
    Eigen::MatrixXd a = randomSymmetric(n);
    for (int i = 0; i < n; ++i) a(i, i) += i < n / 2 ? -3e4 - i : std::pow(1.3, i) - 800.0;
    Eigen::MatrixXd copy = a, all;
    Eigen::VectorXd allValues;
    EigenSolver().solve(copy, 0, n, allValues, all);
    const int first = n / 2, count = std::min(11, n - first);
    for (const DenseKernels* kernels : sets) {
      Eigen::VectorXd values(count), alone(count);
      Eigen::MatrixXd vectors(n, count);
      ASSERT_TRUE(kernels->eigenpairs(n, a.data(), first, count, values.data(), vectors.data()))
          << kernels->name;
      ASSERT_TRUE(kernels->eigenpairs(n, a.data(), first, count, alone.data(), nullptr));
      EXPECT_LT((values - allValues.segment(first, count)).norm(), 1e-13 * a.norm()) << kernels->name << n;
      EXPECT_LT((alone - values).norm(), 1e-14 * a.norm());
      EXPECT_LT((a * vectors - vectors * values.asDiagonal()).norm(), 1e-13 * a.norm());
      EXPECT_LT((vectors.transpose() * vectors - Eigen::MatrixXd::Identity(count, count)).norm(), 1e-12);
    }
  }
}

/// Equal eigenvalues have no vectors of their own: the quick way must say so, and the solver find some.
TEST(EigenSolver, EqualEigenvalues) {
  const Eigen::MatrixXd a = 3.0 * Eigen::MatrixXd::Identity(12, 12);
  Eigen::VectorXd values(4);
  Eigen::MatrixXd vectors(12, 4), copy = a;
  EXPECT_FALSE(denseKernels().eigenpairs(12, a.data(), 2, 4, values.data(), vectors.data()));
  EigenSolver().solve(copy, 2, 4, values, vectors);
  EXPECT_LT((values.array() - 3.0).abs().maxCoeff(), 1e-14);
  EXPECT_LT((vectors.transpose() * vectors - Eigen::MatrixXd::Identity(4, 4)).norm(), 1e-14);
}

TEST(EigenSolver, ValuesAlone) {
  const Eigen::MatrixXd a = randomSymmetric(40);
  Eigen::MatrixXd copy = a, vectors;
  Eigen::VectorXd values;
  EigenSolver solver;
  solver.solve(copy, 3, 30, values, vectors);
  EXPECT_LT((solver.values(a, 3, 30) - values).norm(), 1e-12);
}

/// By value, not by magnitude: one function each for the large and small components is such a problem.
TEST(EigenSolver, TwoByTwoIsOrdered) {
  for (const double coupling : {0.0, 1e-3, 50.0}) {
    Eigen::MatrixXd a(2, 2), vectors;
    a << -2.3, coupling, coupling, -37557.7;
    Eigen::MatrixXd copy = a;
    Eigen::VectorXd values;
    EigenSolver().solve(copy, 1, 1, values, vectors);
    const double expected =
        coupling == 0 ? -2.3 : -2.3 + coupling * coupling / (37555.4 + coupling * coupling / 37555.4);
    EXPECT_NEAR(values(0), expected, 1e-6);
    EXPECT_LT((a * vectors - values(0) * vectors).norm(), 1e-10);
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

/// Without solutions below them, as in a non-relativistic Fock matrix.
TEST(EigenSolver, KeepsDigitsOfTheLowestBesideVeryLargeElements) {
  const double large = 1e14, coupling = 3e7;
  Eigen::MatrixXd a(2, 2), vectors;
  a << 2, coupling, coupling, large;
  Eigen::VectorXd values;
  long double expected = 0;
  for (int i = 0; i < 50; ++i)
    expected = 2.0L - static_cast<long double>(coupling) * coupling / (large - expected);
  EXPECT_NEAR(EigenSolver().values(a, 0, 1)(0), static_cast<double>(expected), 1e-12);
  EigenSolver().solve(a, 0, 1, values, vectors);
  EXPECT_NEAR(values(0), static_cast<double>(expected), 1e-12);
  EXPECT_NEAR(vectors.col(0).norm(), 1.0, 1e-12);
}

/// A shell can be without particles, as f where excitations stop at d.
TEST(SymmetricEigen, EmptyMatricesHaveNoEigenvalues) {
  const SymmetricEigen nothing(Eigen::MatrixXd(0, 0));
  EXPECT_EQ(nothing.eigenvalues().size(), 0);
  EXPECT_EQ(nothing.eigenvectors().size(), 0);
  EXPECT_EQ(symmetricEigenvalues(Eigen::MatrixXd(0, 0)).size(), 0);
}

}  // namespace
}  // namespace prophet
