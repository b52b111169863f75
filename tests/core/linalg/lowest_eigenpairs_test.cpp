#include "core/linalg/lowest_eigenpairs.hpp"

#include <gtest/gtest.h>

#include "core/linalg/decompositions.hpp"

namespace prophet {
namespace {

/// A tridiagonal matrix without blocks, seen by its products.
struct Chain {
  Eigen::MatrixXd matrix = Eigen::VectorXd::LinSpaced(120, -3, 20).asDiagonal();
  SymmetricOperator known;

  Chain() {
    for (Eigen::Index i = 0; i + 1 < matrix.rows(); ++i)
      matrix(i, i + 1) = matrix(i + 1, i) = 0.01 * static_cast<double>(i % 7 + 1);
    known = {matrix.diagonal().array() + 1e-7,
             [this](const Eigen::Ref<const Eigen::MatrixXd>& columns) -> Eigen::MatrixXd {
               return matrix * columns;
             }};
  }
  LowestEigenpairs lowest(int iterations) const {
    return lowestEigenpairs(known, Eigen::MatrixXd::Identity(120, 2), 1, {10, 40, iterations, 1e-9});
  }
};

TEST(LowestEigenpairs, AreThoseOfTheWholeMatrix) {
  const Chain chain;
  const LowestEigenpairs lowest = chain.lowest(100);
  ASSERT_TRUE(lowest.found);
  EXPECT_LT((lowest.values - symmetricEigenvalues(chain.matrix).head(1)).cwiseAbs().maxCoeff(), 1e-10);
  const Eigen::MatrixXd residuals =
      chain.matrix * lowest.vectors - lowest.vectors * lowest.values.asDiagonal();
  EXPECT_LT(residuals.cwiseAbs().maxCoeff(), 1e-8);
}

TEST(LowestEigenpairs, AreNotFoundInOneIteration) { EXPECT_FALSE(Chain().lowest(1).found); }

}  // namespace
}  // namespace prophet
