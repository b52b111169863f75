#include <gtest/gtest.h>

#include <cmath>

#include "atoms/fock/grid_builder.hpp"
#include "atoms/fock/stored_builder.hpp"
#include "random_spinors.hpp"

namespace prophet {
namespace {

struct Case {
  const char* name;
  int symmetries, functions;
  double first, ratio;
  std::vector<int> occupied;
  std::vector<int> open;  ///< open spinors of each symmetry, its last
  double steeper =
      0.0;  ///< steps of the ratio by which each symmetry lies above the one before: other parts of the grid
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Builders : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const Case& c = GetParam();
    for (int a = 0; a < c.symmetries; ++a) {
      SymmetryBasis block{Symmetry::fromIndex(a), {}};
      for (int i = 0; i < c.functions; ++i)
        block.exponents.push_back(c.first * std::pow(c.ratio, i + 0.1 * a + c.steeper * a));
      basis_.symmetries.push_back(block);
    }
  }
  BasisSet basis_;
};

/// Random orbitals of random occupation: the grid builder must give the stored one's P and Q to rounding.
TEST_P(Builders, GridEqualsStored) {
  const Case& c = GetParam();
  StoredFockBuilder stored(basis_, 2);
  for (const int threads : {1, 2, 3}) {
    ThreadPool pool(threads);
    GridFockBuilder grid(basis_, fockGrid(basis_), pool);
    for (unsigned seed = 0; seed < 2; ++seed) {
      const auto spinors = test::randomSpinors(basis_, c.occupied, c.open, seed);
      const auto reduction = test::randomReduction(c.open, seed);
      std::vector<BlockMatrix> p, q, gridP, gridQ;
      stored.build(spinors, reduction, p, q);
      grid.build(spinors, reduction, gridP, gridQ);
      for (int a = 0; a < c.symmetries; ++a) {
        EXPECT_LT(test::relativeDifference(p[a], gridP[a]), 1e-11) << "P " << a << " threads " << threads;
        EXPECT_LT((gridP[a].LL - gridP[a].LL.transpose()).norm(), 1e-13 * gridP[a].LL.norm());
      }
      ASSERT_EQ(gridQ.size(), q.size());
      for (std::size_t i = 0; i < q.size(); ++i)
        EXPECT_LT(test::relativeDifference(q[i], gridQ[i]), 1e-11) << "Q " << i;
    }
  }
}

TEST_P(Builders, RepeatedBuildsAreBitIdentical) {
  const Case& c = GetParam();
  ThreadPool pool(2);
  GridFockBuilder grid(basis_, fockGrid(basis_), pool);
  const auto spinors = test::randomSpinors(basis_, c.occupied, c.open, 5);
  const auto reduction = test::randomReduction(c.open, 5);
  std::vector<BlockMatrix> first, second, q;
  grid.build(spinors, reduction, first, q);
  for (int i = 0; i < 5; ++i) {
    grid.build(spinors, reduction, second, q);
    for (int a = 0; a < c.symmetries; ++a) EXPECT_EQ(first[a].LS, second[a].LS);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Builders,
    ::testing::Values(Case{"oneSymmetry", 1, 9, 0.1, 2.5, {2}, {0}},
                      Case{"closedToF", 7, 6, 0.1, 4.0, {3, 2, 2, 1, 1, 1, 1}, std::vector<int>(7, 0)},
                      Case{"openShells", 5, 6, 0.05, 4.0, {2, 1, 2, 1, 1}, {1, 0, 1, 1, 1}},
                      Case{"closedElsewhere", 5, 5, 0.02, 3.0, {2, 1, 2, 1, 1}, std::vector<int>(5, 0), 3.0},
                      Case{"openElsewhere", 5, 5, 0.02, 3.0, {2, 1, 2, 1, 1}, {1, 0, 1, 1, 1}, 3.0},
                      Case{"openBelow", 4, 5, 1e6, 3.0, {2, 1, 2, 1}, {1, 1, 1, 0}, -4.0},
                      Case{"severalOpenOfOneSymmetry", 3, 6, 0.05, 4.0, {3, 2, 2}, {2, 2, 1}},
                      Case{"emptySymmetries", 4, 5, 0.1, 5.0, {1, 0, 1, 0}, {0, 0, 1, 0}},
                      Case{"gFunctions", 9, 4, 0.2, 8.0, {2, 1, 1, 1, 1, 1, 1, 1, 1}, std::vector<int>(9, 0)},
                      Case{"veryTight", 3, 12, 1e-2, 30.0, {3, 2, 2}, {0, 0, 1}}));

}  // namespace
}  // namespace prophet
