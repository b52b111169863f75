#include "atoms/limit/exchange.hpp"

#include <gtest/gtest.h>

#include "atoms/limit/mean_field.hpp"

namespace prophet::limit {
namespace {

struct Fixture {
  Fixture() : basis(makeMesh({nucleus(), 137.036, 30.0, 1.0, 0.4, 6}), 6, 6), kernel(basis, 3) {}
  static Nucleus nucleus() {
    Nucleus n;
    n.charge = 10;
    return n;
  }
  PointSpinors randomSpinors(unsigned seed, int count) const {
    std::srand(seed);
    return {Eigen::MatrixXd::Random(basis.points, count), Eigen::MatrixXd::Random(basis.points, count),
            Eigen::VectorXd::Random(count).cwiseAbs()};
  }
  // The kernel over all points, with different weights for the two orders.
  Eigen::MatrixXd fullKernel(const std::vector<KernelTerm>& terms) const {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(basis.points, basis.points), ordered;
    for (const auto& term : terms) {
      kernel.ordered(term.k, {0, basis.cells}, {0, basis.cells}, ordered);
      sum += term.whereGreater * ordered + term.whereSmaller * ordered.transpose();
    }
    return sum;
  }
  RadialBasis basis;
  SlaterKernel kernel;
};

// Tiles, blocks and transposes against one dense formula, for an operator that mixes components and treats
// the two orders of the electrons differently (as the Breit interaction will).
TEST(ExchangeBuilder, EqualsTheDenseFormula) {
  const Fixture s;
  const std::vector<PointSpinors> spinors = {s.randomSpinors(1, 3), s.randomSpinors(2, 2)};
  ExchangeChannel symmetric{0, 0, {{0, 0.7, 0.7}, {2, 0.1, 0.1}}, {}};
  symmetric.blocks = {{Block::LL, Block::SS}, {Block::SS, Block::LL}, {Block::LS, Block::LS}};
  ExchangeChannel oneSided{0, 1, {{1, 0.3, -0.2}, {3, 0.0, 0.4}}, {{Block::LS, Block::SL}}};
  const ExchangeBuilder builder(s.basis, s.kernel, {symmetric, oneSided}, 2);
  Eigen::MatrixXd weights(2, 2);
  weights << 1.0, 0.25, 0.0, 0.0;
  const Eigen::MatrixXd built = builder.build(spinors, weights)[0];

  const auto density = [&](int b, bool smallLeft, bool smallRight) -> Eigen::MatrixXd {
    const auto& left = smallLeft ? spinors[b].small : spinors[b].large;
    const auto& right = smallRight ? spinors[b].small : spinors[b].large;
    return left * spinors[b].occupation.asDiagonal() * right.transpose();
  };
  const Eigen::MatrixXd u = s.fullKernel(symmetric.kernel), v = s.fullKernel(oneSided.kernel);
  const int nl = s.basis.largeSpace.size(), ns = s.basis.smallSpace.size();
  Eigen::MatrixXd expected(nl + ns, nl + ns);
  expected.topLeftCorner(nl, nl) =
      s.basis.large.transpose() * u.cwiseProduct(density(0, true, true)) * s.basis.large;
  expected.bottomRightCorner(ns, ns) =
      s.basis.small.transpose() * u.cwiseProduct(density(0, false, false)) * s.basis.small;
  const Eigen::MatrixXd mixed =
      u.cwiseProduct(density(0, false, true)) + 0.25 * v.cwiseProduct(density(1, true, false));
  expected.topRightCorner(nl, ns) = s.basis.large.transpose() * mixed * s.basis.small;
  expected.bottomLeftCorner(ns, nl) = expected.topRightCorner(nl, ns).transpose();
  EXPECT_LT((built - expected).cwiseAbs().maxCoeff(), 1e-13 * expected.cwiseAbs().maxCoeff());
}

// For one spinor the exchange with k = 0 alone is its own direct potential: <a|J|a> = <a|K|a>.
TEST(ExchangeBuilder, SelfExchangeIsSelfRepulsion) {
  const Fixture s;
  SpinorSet set;
  const Symmetry symmetry = Symmetry::fromIndex(0);
  std::srand(5);
  set.coefficients = {Eigen::MatrixXd::Random(s.basis.size(symmetry), 1)};
  set.occupations = {Eigen::VectorXd::Ones(1)};
  const auto points = atPoints(s.basis, set);
  const ExchangeChannel channel{0, 0, {{0, 1, 1}}, coulombChannels(1)[0].blocks};
  const ExchangeBuilder builder(s.basis, s.kernel, {channel}, 1);
  const Eigen::VectorXd c = set.coefficients[0];
  const Eigen::MatrixXd exchange =
      s.basis.restrictTo(symmetry, builder.build(points, Eigen::MatrixXd::Ones(1, 1))[0]);
  const double direct =
      c.dot(s.basis.localMatrix(symmetry, s.kernel.potential(0, densityAtPoints(points[0]))) * c);
  EXPECT_NEAR(c.dot(exchange * c) / direct, 1, 1e-13);
}

}  // namespace
}  // namespace prophet::limit
