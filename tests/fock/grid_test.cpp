#include <gtest/gtest.h>

#include <cmath>

#include "fock/grid_builder.hpp"
#include "random_spinors.hpp"

namespace prophet {
namespace {

BasisSet ladder(int symmetries, double smallest, double largest, int count) {
  BasisSet basis;
  for (int a = 0; a < symmetries; ++a) {
    SymmetryBasis block{Symmetry::fromIndex(a), {}};
    for (int i = 0; i < count; ++i) {
      block.exponents.push_back(smallest * std::pow(largest / smallest, i / (count - 1.0)));
    }
    basis.symmetries.push_back(block);
  }
  return basis;
}

TEST(FockGrid, SpacingShrinksWithAngularMomentumAndTolerance) {
  const double s = fockGrid(ladder(1, 0.1, 1e6, 5)).h, f = fockGrid(ladder(7, 0.1, 1e6, 5)).h;
  EXPECT_GT(s, f);
  EXPECT_GT(f, 0.09);
  EXPECT_LT(fockGrid(ladder(7, 0.1, 1e6, 5), 1e-15).h, f);
}

/// Nine symmetries and exponents from 1e-3 to 1e16: no over- or underflow, and the same matrices on a finer
/// grid.
TEST(FockGrid, ExtremeExponentsAndHighSymmetries) {
  const BasisSet basis = ladder(9, 1e-3, 1e16, 12);
  ThreadPool pool(2);
  const RadialGrid coarse = fockGrid(basis), fine = makeGrid(basis, coarse.h * 0.7);
  GridFockBuilder a(basis, coarse, pool), b(basis, fine, pool);
  const std::vector<int> open(9, 0);
  const auto spinors = testing::randomSpinors(basis, {3, 2, 2, 1, 1, 1, 1, 1, 1}, open, 11);
  std::vector<BlockMatrix> p, q, finer;
  a.build(spinors, Eigen::MatrixXd::Zero(9, 9), p, q);
  b.build(spinors, Eigen::MatrixXd::Zero(9, 9), finer, q);
  for (int s = 0; s < 9; ++s) {
    ASSERT_TRUE(p[s].LL.allFinite() && p[s].LS.allFinite() && p[s].SS.allFinite()) << s;
    EXPECT_LT(testing::relativeDifference(p[s], finer[s]), 1e-11) << s;
  }
}

}  // namespace
}  // namespace prophet
