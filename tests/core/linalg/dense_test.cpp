#include "core/linalg/dense.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <vector>

#include <random>

#include "core/linalg/dense_kernels.hpp"
#include "random_matrix.hpp"

namespace prophet {
namespace {

using test::randomMatrix;

std::vector<const DenseKernels*> kernelsOfThisProcessor() {
  std::vector<const DenseKernels*> list{&kBaselineKernels};
#if defined(__x86_64__)
  if (supportsV3()) list.push_back(&kKernelsV3);
  if (supportsV4()) list.push_back(&kKernelsV4);
#endif
  return list;
}

/// Sums over plain loops.
Eigen::MatrixXd plainProduct(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  Eigen::MatrixXd c = Eigen::MatrixXd::Zero(a.rows(), b.cols());
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (Eigen::Index j = 0; j < b.cols(); ++j)
      for (Eigen::Index k = 0; k < a.cols(); ++k) c(i, j) += a(i, k) * b(k, j);
  return c;
}

TEST(DenseKernels, Products) {
  for (const DenseKernels* kernels : kernelsOfThisProcessor()) {
    unsigned seed = 1;
    for (const int m : {1, 2, 9, 16, 24, 31, 32, 57}) {
      for (const int n : {1, 5, 24}) {
        for (const int k : {1, 3, 40, 401}) {
          const Eigen::MatrixXd a = randomMatrix(m, k, ++seed), b = randomMatrix(k, n, ++seed);
          const Eigen::MatrixXd at = a.transpose(), bt = b.transpose(), ab = plainProduct(a, b);
          Eigen::MatrixXd c = Eigen::MatrixXd::Constant(m + 2, n, 7.0);
          kernels->product(false, false, m, n, k, a.data(), m, b.data(), k, c.data(), m + 2, false);
          EXPECT_LT((c.topRows(m) - ab).norm(), 1e-13 * k) << kernels->name;
          kernels->product(true, false, m, n, k, at.data(), k, b.data(), k, c.data(), m + 2, true);
          EXPECT_LT((c.topRows(m) - 2 * ab).norm(), 1e-13 * k) << kernels->name;
          kernels->product(false, true, m, n, k, a.data(), m, bt.data(), n, c.data(), m + 2, false);
          EXPECT_LT((c.topRows(m) - ab).norm(), 1e-13 * k) << kernels->name;
          EXPECT_TRUE((c.bottomRows(2).array() == 7.0).all()) << "beside the product";
        }
      }
    }
  }
}

TEST(DenseKernels, TridiagonalFormAndBack) {
  for (const DenseKernels* kernels : kernelsOfThisProcessor()) {
    for (const int n : {1, 2, 3, 20, 70}) {
      const Eigen::MatrixXd half = randomMatrix(n, n, 5), a = half + half.transpose();
      Eigen::MatrixXd packed = a, t = Eigen::MatrixXd::Zero(n, n), q = Eigen::MatrixXd::Identity(n, n);
      Eigen::VectorXd d(n), e(n), tau(n);
      kernels->tridiagonalise(n, packed.data(), d.data(), e.data(), tau.data());
      t.diagonal() = d;
      if (n > 1) t.diagonal(1) = t.diagonal(-1) = e.head(n - 1);
      kernels->applyReflectors(n, packed.data(), tau.data(), n, q.data());
      EXPECT_LT((q * q.transpose() - Eigen::MatrixXd::Identity(n, n)).norm(), 1e-13 * n) << kernels->name;
      EXPECT_LT((q * t * q.transpose() - a).norm(), 1e-13 * n) << kernels->name;
    }
  }
}

TEST(DenseKernels, CholeskyAndLu) {
  for (const DenseKernels* kernels : kernelsOfThisProcessor()) {
    for (const int n : {1, 2, 25, 130}) {
      const Eigen::MatrixXd a = randomMatrix(n, n, 9), x = randomMatrix(n, 3, 10);
      const Eigen::MatrixXd positive = a * a.transpose() + Eigen::MatrixXd::Identity(n, n);
      Eigen::MatrixXd factor = positive;
      ASSERT_TRUE(kernels->cholesky(n, factor.data())) << kernels->name;
      const Eigen::MatrixXd lower = factor.triangularView<Eigen::Lower>();
      EXPECT_LT((lower * lower.transpose() - positive).norm(), 1e-13 * n * n) << kernels->name;

      const Eigen::MatrixXd matrix = a + 3 * Eigen::MatrixXd::Identity(n, n);
      Eigen::MatrixXd lu = matrix, solution = matrix * x;
      std::vector<int> rowOf(static_cast<std::size_t>(n));
      ASSERT_TRUE(kernels->luFactors(n, lu.data(), rowOf.data())) << kernels->name;
      kernels->luSolve(n, lu.data(), rowOf.data(), 3, solution.data());
      EXPECT_LT((solution - x).norm(), 1e-9) << kernels->name;
    }
    Eigen::MatrixXd singular = Eigen::MatrixXd::Ones(3, 3), negative = -Eigen::MatrixXd::Identity(3, 3);
    std::vector<int> rowOf(3);
    EXPECT_FALSE(kernels->luFactors(3, singular.data(), rowOf.data())) << kernels->name;
    EXPECT_FALSE(kernels->cholesky(3, negative.data())) << kernels->name;
  }
}

TEST(Dense, PartsOfMatrices) {
  const Eigen::MatrixXd a = randomMatrix(8, 9, 1), b = randomMatrix(9, 8, 2);
  Eigen::MatrixXd c = Eigen::MatrixXd::Zero(6, 6);
  product(a.block(1, 2, 3, 4), b.block(0, 1, 4, 5), c.block(2, 1, 3, 5));
  EXPECT_LT((c.block(2, 1, 3, 5) - plainProduct(a.block(1, 2, 3, 4), b.block(0, 1, 4, 5))).norm(), 1e-14);
  c.block(2, 1, 3, 5).setZero();
  EXPECT_EQ(c.norm(), 0.0);
  const Eigen::MatrixXd none = Eigen::MatrixXd(4, 0);
  Eigen::MatrixXd d = Eigen::MatrixXd::Ones(4, 4);
  productNT(none, none, d);
  EXPECT_EQ(d.norm(), 0.0);
}

TEST(Dense, UsesTheBestKernelsThatTheProcessorRuns) {
  EXPECT_EQ(&denseKernels(), kernelsOfThisProcessor().back()) << denseKernels().name;
}

/// The digits must not depend on where the matrices lie in memory, which differs between threads and runs.
TEST(DenseProducts, DigitsDoNotDependOnTheAddress) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const int n : {3, 5, 6, 8, 13, 30}) {
    for (const int columns : {1, 2, 7, 25}) {
      const int size = n * n + 2 * n * columns;
      std::vector<double> memory(static_cast<std::size_t>(size) + 8), first;
      std::vector<double> values(static_cast<std::size_t>(size));
      for (double& v : values) v = number(random);
      for (int shift = 0; shift < 8; ++shift) {
        std::copy(values.begin(), values.end(), memory.begin() + shift);
        const Eigen::Map<const Eigen::MatrixXd> a(memory.data() + shift, n, n);
        const Eigen::Map<const Eigen::MatrixXd> b(a.data() + n * n, n, columns);
        Eigen::Map<Eigen::MatrixXd> c(memory.data() + shift + n * n + n * columns, n, columns);
        product(a, b, c);
        std::vector<double> result(c.data(), c.data() + n * columns);
        productTN(a, b, c);
        result.insert(result.end(), c.data(), c.data() + n * columns);
        if (shift == 0) first = result;
        EXPECT_EQ(result, first) << n << ' ' << columns << ' ' << shift;
      }
    }
  }
}

}  // namespace
}  // namespace prophet
