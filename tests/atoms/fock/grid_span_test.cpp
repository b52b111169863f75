#include "atoms/fock/exchange_tile.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/fock/grid_builder.hpp"

namespace prophet {
namespace {

TEST(GridSpan, SignificantRowsLieInWholeGroups) {
  Eigen::MatrixXd large = Eigen::MatrixXd::Zero(50, 2), small = large;
  EXPECT_EQ(significantRows(large, small).size(), 0);
  large(19, 0) = 1.0;
  large(3, 1) = 1e-9;   // below the square root of 1e-15
  small(34, 1) = 1e-9;  // above that of 1e-20
  const GridSpan rows = significantRows(large, small);
  EXPECT_EQ(rows.first, 16);
  EXPECT_EQ(rows.end, 40);
  const Eigen::MatrixXd cut = cutTo(rows, large, 56);
  EXPECT_EQ(cut.rows(), 56);
  EXPECT_EQ(cut(19, 0), 1.0);
  EXPECT_EQ(cut(3, 1), 0.0);
}

TEST(GridSpan, BoundariesAscendWithin) {
  EXPECT_EQ(boundaries({{0, 16}, {8, 40}, {16, 24}}, {8, 32}), (std::vector<int>{8, 16, 24, 32}));
  EXPECT_EQ(intersection({0, 16}, {8, 40}).size(), 8);
  EXPECT_EQ(intersection({0, 8}, {16, 40}).size(), 0);
}

/// What is cut from functions must be nothing beside their overlaps, also between steep and diffuse ones.
TEST(GridSpan, OverlapsKeepTheirDigits) {
  SymmetryBasis f{Symmetry::fromIndex(6), {}}, s{Symmetry::fromIndex(0), {}};
  for (int i = 0; i < 12; ++i) f.exponents.push_back(0.3 * std::pow(2.0, i));
  for (int i = 0; i < 30; ++i) s.exponents.push_back(0.05 * std::pow(2.0, i));
  const RadialGrid grid = fockGrid({{s, f}, ""});
  const GridFunctions all = evaluateOnGrid(f, grid);
  const GridSpan rows = significantRows(all.large, all.small);
  EXPECT_GT(rows.first, 0);
  EXPECT_LT(rows.size(), grid.points - 40);
  const Eigen::MatrixXd cut = cutTo(rows, all.large, wholeGroups(grid.points));
  EXPECT_LT((cut.transpose() * cut - all.large.transpose() * all.large).cwiseAbs().maxCoeff(), 1e-14);
}

}  // namespace
}  // namespace prophet
