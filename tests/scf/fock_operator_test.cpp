#include "scf/fock_operator.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "atoms.hpp"

namespace prophet {
namespace {

/// Builds one symmetry with random blocks and orthonormal orbitals: two closed spinors and an open one.
class FockOperator : public ::testing::Test {
 protected:
  void SetUp() override {
    BasisSet basis;
    basis.symmetries.push_back({Symmetry{-2}, {0.1, 0.4, 1.5, 8.0}});
    const auto matrices = oneElectronMatrices(basis, testing::nucleusOf(10, NuclearModel::Point));
    space_ = makeSymmetrySpace(matrices[0], 5.0, 1e-11);
    std::srand(4);
    p_ = randomBlock();
    q_ = randomBlock();
    const Eigen::MatrixXd random = Eigen::MatrixXd::Random(8, 8);
    all_ = Eigen::HouseholderQR<Eigen::MatrixXd>(random).householderQ();
    orbitals_.coefficients = all_.leftCols(3);
    occupation_.closed = 2;
    occupation_.open = true;
    occupation_.openElectrons = 1.3;
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

  SymmetrySpace space_;
  BlockMatrix p_, q_;
  Eigen::MatrixXd all_;
  SpaceOrbitals orbitals_;
  SymmetryOccupation occupation_;
  FockScratch scratch_;
  Eigen::MatrixXd effective_, gradient_;
};

/// The blocks between closed (0, 1), open (2) and virtual (3 ...) orbitals, as the header defines them.
TEST_F(FockOperator, BlocksOfTheEffectiveFockMatrix) {
  const double g = 4.0, n = occupation_.openElectrons;
  effectiveFock(space_, occupation_, g, p_, q_, orbitals_, scratch_, effective_, gradient_);
  const Eigen::MatrixXd closed = all_.transpose() * scratch_.closedFock * all_;
  const Eigen::MatrixXd open = closed - all_.transpose() * scratch_.open * all_;
  const Eigen::MatrixXd f = all_.transpose() * effective_ * all_;
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

TEST_F(FockOperator, GradientOfOrbitalRotations) {
  const double g = 4.0, n = occupation_.openElectrons;
  effectiveFock(space_, occupation_, g, p_, q_, orbitals_, scratch_, effective_, gradient_);
  const Eigen::MatrixXd closed = all_.transpose() * scratch_.closedFock * all_;
  const Eigen::MatrixXd open = closed - all_.transpose() * scratch_.open * all_;
  const Eigen::MatrixXd e = all_.transpose() * gradient_ * all_;
  EXPECT_LT((e + e.transpose()).norm(), 1e-11);
  EXPECT_NEAR(e(0, 5), g * closed(0, 5), 1e-11);
  EXPECT_NEAR(e(2, 5), n * open(2, 5), 1e-11);
  EXPECT_NEAR(e(1, 2), g * closed(1, 2) - n * open(1, 2), 1e-11);
  EXPECT_NEAR(e(0, 1), 0.0, 1e-11);
  EXPECT_NEAR(e(4, 6), 0.0, 1e-11);
}

}  // namespace
}  // namespace prophet
