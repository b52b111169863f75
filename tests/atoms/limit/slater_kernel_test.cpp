#include "atoms/limit/exchange.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace prophet::limit {
namespace {

RadialBasis makeBasis(double cells = 1) {
  Nucleus nucleus;
  nucleus.charge = 2;
  return RadialBasis(makeMesh({nucleus, 137.036, 60.0, 1.0, cells, 9}), 9, 9);
}

// Density x dx of r^2 exp(-r) dr.
Eigen::VectorXd hydrogenLike(const RadialBasis& basis) {
  return basis.r.array().cube() * (-basis.r.array()).exp();
}

// Y^0 of r^2 exp(-r): 2/r - exp(-r)(1 + 2/r), by hand.
TEST(SlaterKernel, MonopolePotentialOfAnExponentialDensity) {
  const RadialBasis basis = makeBasis();
  const Eigen::VectorXd potential = SlaterKernel(basis, 0).potential(0, hydrogenLike(basis));
  for (int i = 0; i < basis.points; i += 7) {
    const double r = basis.r[i];
    const double exact = r > 1e-3 ? (2 - std::exp(-r) * (r + 2)) / r : 1 - r * r / 6 + r * r * r / 12;
    EXPECT_NEAR(potential[i], exact, 2e-13) << r;
  }
}

// integral of f (r<^k/r>^(k+1)) f for f = r^2 exp(-r); k = 0: 5/4, by hand; the others by recursion-free
// sums: 2 integral_0^inf r^(1-k) e^-r gamma(k+3, r) dr = 2 (k+2)! [ Gamma(2-k, 1) ... ] is awkward for k > 1,
// so the quadrature is compared with a finer one there.
TEST(SlaterKernel, SelfRepulsion) {
  const RadialBasis coarse = makeBasis(), fine = makeBasis(2);
  const SlaterKernel kernel(coarse, 6), finer(fine, 6);
  for (int k = 0; k <= 6; ++k) {
    const auto integral = [k](const RadialBasis& basis, const SlaterKernel& u) {
      const Eigen::VectorXd density = hydrogenLike(basis);
      return density.cwiseProduct(basis.weight).dot(u.potential(k, density));
    };
    const double value = integral(coarse, kernel);
    EXPECT_NEAR(value, integral(fine, finer), 1e-12) << k;
    if (k == 0) {
      EXPECT_NEAR(value, 1.25, 1e-13);
    }
  }
}

TEST(SlaterKernel, OrderedElementsAddUpToThePotential) {
  const RadialBasis basis = makeBasis();
  const SlaterKernel kernel(basis, 3);
  const Eigen::VectorXd density = hydrogenLike(basis);
  for (int k : {0, 3}) {
    const int half = basis.cells / 2, n = basis.pointsPerCell();
    const SlaterKernel::CellRange low{0, half}, high{half, basis.cells - half};
    Eigen::MatrixXd inLow, inHigh, across;
    kernel.ordered(k, low, low, inLow);
    kernel.ordered(k, high, high, inHigh);
    kernel.ordered(k, high, low, across);
    Eigen::VectorXd sum(basis.points);
    const auto lower = density.head(half * n), upper = density.tail(basis.points - half * n);
    sum.head(half * n) = (inLow + inLow.transpose()) * lower + across.transpose() * upper;
    sum.tail(upper.size()) = (inHigh + inHigh.transpose()) * upper + across * lower;
    const Eigen::VectorXd expected = kernel.potential(k, density).cwiseProduct(basis.weight);
    EXPECT_LT((sum - expected).cwiseAbs().maxCoeff(), 1e-14 * expected.cwiseAbs().maxCoeff());
  }
}

}  // namespace
}  // namespace prophet::limit
