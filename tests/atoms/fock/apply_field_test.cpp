#include <gtest/gtest.h>

#include <cmath>

#include "atoms/fock/grid_builder.hpp"
#include "random_spinors.hpp"

namespace prophet {
namespace {

BasisSet smallBasis(int symmetries) {
  BasisSet basis;
  for (int a = 0; a < symmetries; ++a) {
    SymmetryBasis block{Symmetry::fromIndex(a), {}};
    for (int i = 0; i < 6; ++i) block.exponents.push_back(0.1 * std::pow(4.0, i + 0.1 * a));
    basis.symmetries.push_back(block);
  }
  return basis;
}

/// The field of each spinor, projected on the functions, is its Fock matrix times its coefficients.
TEST(ApplyField, IsTheFockMatrixTimesTheSpinor) {
  const BasisSet basis = smallBasis(5);
  const std::vector<int> occupied{3, 1, 2, 0, 2}, open{2, 0, 1, 0, 1};
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    GridFockBuilder grid(basis, fockGrid(basis), pool);
    const auto spinors = test::randomSpinors(basis, occupied, open, 3);
    const auto reduction = test::randomReduction(open, 3);
    std::vector<BlockMatrix> p, q;
    grid.build(spinors, reduction, p, q);
    std::vector<GridFunctions> field;
    grid.applyField(spinors, reduction, field);
    std::size_t next = 0;
    for (std::size_t a = 0; a < spinors.size(); ++a) {
      const SymmetryBasis& block = basis.symmetries[a];
      const GridFunctions f = fieldFunctions(evaluateOnGrid(block, grid.grid()), block.symmetry, grid.grid());
      Eigen::MatrixXd large = p[a].LL * spinors[a].large + p[a].LS * spinors[a].small;
      Eigen::MatrixXd small = p[a].LS.transpose() * spinors[a].large + p[a].SS * spinors[a].small;
      for (const int i : spinors[a].open) {
        const BlockMatrix& own = q[next++];
        large.col(i) -= own.LL * spinors[a].large.col(i) + own.LS * spinors[a].small.col(i);
        small.col(i) -= own.LS.transpose() * spinors[a].large.col(i) + own.SS * spinors[a].small.col(i);
      }
      EXPECT_LE((f.large.transpose() * field[a].large - large).norm(), 1e-12 * large.norm());
      EXPECT_LE((f.small.transpose() * field[a].small - small).norm(), 1e-12 * small.norm());
    }
    EXPECT_EQ(next, q.size());
  }
}

}  // namespace
}  // namespace prophet
