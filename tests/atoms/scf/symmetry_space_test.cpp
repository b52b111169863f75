#include "atoms/scf/fock_operator.hpp"

#include <gtest/gtest.h>

#include "atoms.hpp"

namespace prophet {
namespace {

TEST(SymmetrySpace, KineticBlockAndRestMass) {
  BasisSet basis;
  basis.symmetries.push_back({Symmetry{-1}, {0.1, 0.5, 3.0, 40.0}});
  basis.symmetries.push_back({Symmetry{1}, {0.2, 1.0, 7.0}});
  const auto matrices = oneElectronMatrices(basis, test::nucleusOf(10, NuclearModel::Point));
  const double c = 137.0;
  for (std::size_t a = 0; a < 2; ++a) {
    const SymmetrySpace s = makeSymmetrySpace(matrices[a], c, 1e-11);
    const int n = s.largeSize(), m = s.smallSize();
    const Eigen::MatrixXd kinetic =
        c * s.small.x.transpose() * matrices[a].overlapSmall * matrices[a].balance.asDiagonal() * s.large.x;
    EXPECT_LT((kinetic - s.kinetic).norm(), 1e-11 * kinetic.norm());
    EXPECT_LT((s.core - s.core.transpose()).norm(), 1e-12 * s.core.norm());
    EXPECT_NEAR(s.core(n, n) - s.nuclear(n, n), -2 * c * c, 1e-9);
    EXPECT_LT(s.nuclear.bottomLeftCorner(m, n).norm(), 1e-300);
  }
}

TEST(SymmetrySpace, TransformIsXTransposeMX) {
  BasisSet basis;
  basis.symmetries.push_back({Symmetry{-2}, {0.1, 0.5, 3.0}});
  const auto matrices = oneElectronMatrices(basis, test::nucleusOf(10, NuclearModel::Point));
  const SymmetrySpace s = makeSymmetrySpace(matrices[0], 137.0, 1e-11);
  BlockMatrix m;
  m.LL = Eigen::MatrixXd::Random(3, 3);
  m.LL += m.LL.transpose().eval();
  m.SS = m.LL;
  m.LS = Eigen::MatrixXd::Random(3, 3);
  Eigen::MatrixXd work, result;
  transformToSpace(s, m, work, result);
  EXPECT_LT((result.topLeftCorner(3, 3) - s.large.x.transpose() * m.LL * s.large.x).norm(), 1e-12);
  EXPECT_LT((result.topRightCorner(3, 3) - s.large.x.transpose() * m.LS * s.small.x).norm(), 1e-12);
  EXPECT_LT((result - result.transpose()).norm(), 1e-12);
  m.LS.resize(0, 0);
  transformToSpace(s, m, work, result);
  EXPECT_EQ(result.topRightCorner(3, 3).norm(), 0.0);
}

}  // namespace
}  // namespace prophet
