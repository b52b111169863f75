#include "atoms/scf/fock_operator.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <Eigen/QR>

#include "atoms.hpp"

namespace prophet {
namespace {

/// One symmetry (p+, four electrons in a closed spinor) with random blocks and orthonormal orbitals.
class FockOperator : public ::testing::Test {
 protected:
  void SetUp() override {
    BasisSet basis;
    basis.symmetries.push_back({Symmetry{-2}, {0.1, 0.4, 1.5, 8.0}});
    const auto matrices = oneElectronMatrices(basis, test::nucleusOf(10, NuclearModel::Point));
    space_ = makeSymmetrySpace(matrices[0], 5.0, 1e-11);
    std::srand(4);
    p_ = randomBlock();
    for (auto& q : q_) q = randomBlock();
    const Eigen::MatrixXd random = Eigen::MatrixXd::Random(8, 8);
    all_ = Eigen::HouseholderQR<Eigen::MatrixXd>(random).householderQ();
  }

  static BlockMatrix randomBlock() {
    BlockMatrix b;
    b.LL = Eigen::MatrixXd::Random(4, 4);
    b.SS = Eigen::MatrixXd::Random(4, 4);
    b.LL = (b.LL + b.LL.transpose()).eval();
    b.SS = (b.SS + b.SS.transpose()).eval();
    b.LS = Eigen::MatrixXd::Random(4, 4);
    return b;
  }

  /// The effective Fock matrix in the orbitals, occupied ones first; `field(i)` is then that of orbital i.
  Eigen::MatrixXd effective(const SymmetryOccupation& occupation) {
    occupation_ = occupation;
    effectiveFock(space_, occupation, p_, q_, all_.leftCols(occupation.occupied()), fock_);
    return all_.transpose() * fock_.effective * all_;
  }
  Eigen::MatrixXd field(int i) const {
    Eigen::MatrixXd f = fock_.closed;
    int o = 0;
    for (int k = 0; k < std::min(i, occupation_.occupied()); ++k) o += occupation_.spinors[k].open ? 1 : 0;
    if (i < occupation_.occupied() && occupation_.spinors[i].open) f -= fock_.open[o];
    return all_.transpose() * f * all_;
  }

  SymmetrySpace space_;
  BlockMatrix p_, q_[2];
  Eigen::MatrixXd all_;
  SymmetryOccupation occupation_;
  SymmetryFock fock_;
};

/// Closed (0, 1), open (2) and virtual (3 ...) orbitals, as physicists write the blocks.
TEST_F(FockOperator, BlocksWithOneOpenSpinorAtTheTop) {
  const double g = 4.0, n = 1.3;
  const Eigen::MatrixXd f = effective(SymmetryOccupation::aufbau(4, 2, n));
  const Eigen::MatrixXd closed = field(0), open = field(2);
  const auto kind = [](int i) { return i < 2 ? 'c' : i == 2 ? 'o' : 'v'; };
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      const char a = kind(i), b = kind(j);
      double expected = closed(i, j);
      if ((a == 'o' && b != 'c') || (b == 'o' && a != 'c')) expected = open(i, j);
      if ((a == 'o' && b == 'c') || (a == 'c' && b == 'o'))
        expected = (g * closed(i, j) - n * open(i, j)) / (g - n);
      EXPECT_NEAR(f(i, j), expected, 1e-11) << i << ' ' << j;
    }
  }
}

/// Any occupations: own fields on the diagonal and towards virtual spinors, gradients between occupied ones.
TEST_F(FockOperator, BlocksWithHolesAndSeveralOpenSpinors) {
  const SymmetryOccupation cases[] = {{{{0, 1.0, true}, {1, 4.0, false}}},  // a hole
                                      {{{0, 4.0, false}, {2, 1.0, true}}},  // an empty place
                                      {{{0, 3.0, true}, {1, 0.5, true}}},   // two open
                                      {{{0, 1.0, true}, {1, 1.0, true}}},   // equal occupations
                                      {{{0, 2.5, true}, {1, 4.0, false}, {4, 1.0, true}}}};  // everything
  for (const auto& occupation : cases) {
    const Eigen::MatrixXd f = effective(occupation);
    const int m = occupation.occupied();
    EXPECT_LT((f - f.transpose()).norm(), 1e-11);
    const Eigen::MatrixXd outside = field(occupation.needed() > m ? m - 1 : 8);
    EXPECT_LT((f - outside).bottomRightCorner(8 - m, 8 - m).norm(), 1e-11);
    for (int i = 0; i < m; ++i) {
      EXPECT_NEAR(f(i, i), field(i)(i, i), 1e-11);
      for (int v = m; v < 8; ++v) EXPECT_NEAR(f(i, v), field(i)(i, v), 1e-11);
      for (int j = 0; j < i; ++j) {
        const double ni = occupation.spinors[i].electrons, nj = occupation.spinors[j].electrons;
        const double gradient = nj * field(j)(i, j) - ni * field(i)(i, j);
        const double factor = ni == nj ? 1.0 / (0.25 * ni) : 1.0 / (nj - ni);
        EXPECT_NEAR(f(i, j), factor * gradient, 1e-11);
      }
    }
  }
}

TEST_F(FockOperator, GradientOfOrbitalRotations) {
  const double g = 4.0, n = 1.3;
  effective(SymmetryOccupation::aufbau(4, 2, n));
  const Eigen::MatrixXd e = all_.transpose() * fock_.gradient * all_;
  EXPECT_LT((e + e.transpose()).norm(), 1e-11);
  EXPECT_NEAR(e(0, 5), g * field(0)(0, 5), 1e-11);
  EXPECT_NEAR(e(2, 5), n * field(2)(2, 5), 1e-11);
  EXPECT_NEAR(e(1, 2), g * field(1)(1, 2) - n * field(2)(1, 2), 1e-11);
  EXPECT_NEAR(e(0, 1), 0.0, 1e-11);
  EXPECT_NEAR(e(4, 6), 0.0, 1e-11);
}

}  // namespace
}  // namespace prophet
