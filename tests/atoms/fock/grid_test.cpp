#include <gtest/gtest.h>

#include <cmath>

#include "atoms/fock/grid_builder.hpp"
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
  const auto spinors = test::randomSpinors(basis, {3, 2, 2, 1, 1, 1, 1, 1, 1}, open, 11);
  std::vector<BlockMatrix> p, q, finer;
  a.build(spinors, Eigen::MatrixXd::Zero(9, 9), p, q);
  b.build(spinors, Eigen::MatrixXd::Zero(9, 9), finer, q);
  for (int s = 0; s < 9; ++s) {
    ASSERT_TRUE(p[s].LL.allFinite() && p[s].LS.allFinite() && p[s].SS.allFinite()) << s;
    EXPECT_LT(test::relativeDifference(p[s], finer[s]), 1e-11) << s;
  }
}

/// The field of spinors over one basis in another: the same as with both sets of functions in one basis.
TEST(FockGrid, OrbitalsMayHaveABasisOfTheirOwn) {
  const BasisSet own = ladder(3, 0.05, 1e4, 6), other = ladder(3, 0.08, 3e3, 5);
  BasisSet both = own;
  for (int a = 0; a < 3; ++a) {
    std::vector<double>& exponents = both.symmetries[a].exponents;
    exponents.insert(exponents.end(), other.symmetries[a].exponents.begin(),
                     other.symmetries[a].exponents.end());
  }
  const std::vector<int> open = {1, 0, 1};
  const auto spinors = test::randomSpinors(other, {2, 1, 2}, open, 5);
  auto padded = spinors;
  for (std::size_t a = 0; a < padded.size(); ++a) {
    for (Eigen::MatrixXd* m : {&padded[a].large, &padded[a].small}) {
      const Eigen::MatrixXd part = *m;
      m->setZero(11, part.cols());
      m->bottomRows(5) = part;
    }
  }
  ThreadPool pool(1);
  const RadialGrid grid = fockGrid(both);
  GridFockBuilder mixed(own, grid, pool), whole(both, grid, pool);
  mixed.setOrbitalBasis(other);
  const Eigen::MatrixXd reduction = test::randomReduction(open, 6);
  std::vector<BlockMatrix> p, q, allP, allQ;
  mixed.build(spinors, reduction, p, q);
  whole.build(padded, reduction, allP, allQ);
  ASSERT_EQ(q.size(), allQ.size());
  for (std::size_t a = 0; a < p.size(); ++a) {
    const double scale = allP[a].LL.cwiseAbs().maxCoeff();
    EXPECT_LT((p[a].LL - allP[a].LL.topLeftCorner(6, 6)).cwiseAbs().maxCoeff(), 1e-12 * scale);
    EXPECT_LT((p[a].LS - allP[a].LS.topLeftCorner(6, 6)).cwiseAbs().maxCoeff(), 1e-12 * scale);
    EXPECT_LT((p[a].SS - allP[a].SS.topLeftCorner(6, 6)).cwiseAbs().maxCoeff(), 1e-12 * scale);
  }
}

}  // namespace
}  // namespace prophet
