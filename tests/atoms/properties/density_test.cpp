#include "atoms/properties/density.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/common/error.hpp"
#include "with_spinors.hpp"

namespace prophet {
namespace {

TEST(Density, OfAHydrogenAtom) {
  // 1s of a point nucleus: rho is r^(2 gamma - 2) exp(-2 r) (2^(2 gamma + 1)/(4 pi Gamma(2 gamma + 1))).
  const test::Computed h =
      test::computedLimit("$nuc znuc=1 nucmdl='point' $end $electrons config='1s1' $end");
  const Density density(h.result);
  Eigen::VectorXd r(4);
  r << 3, 1e-2, 0.5, 0;
  const Eigen::VectorXd rho = density.at(r);
  const double gamma = std::sqrt(1 - std::pow(h.problem.hamiltonian.speedOfLight, -2));
  for (const int i : {0, 1, 2}) {
    const double exact = std::pow(r[i], 2 * gamma - 2) * std::exp(-2 * r[i]) * std::exp2(2 * gamma + 1) /
                         (4 * M_PI * std::tgamma(2 * gamma + 1));
    EXPECT_NEAR(rho[i] / exact, 1, 1e-7) << r[i];
  }
  EXPECT_TRUE(std::isinf(rho[3]));
  EXPECT_DOUBLE_EQ(density.electrons(), 1);
}

TEST(Density, IsFiniteWhereTheNucleusIs) {
  for (const auto& c : {test::computed("$nuc znuc=18 $end"), test::computedLimit("$nuc znuc=18 $end")}) {
    const Density density(c.result);
    Eigen::VectorXd r(3);
    r << 0, 1e-12, 1e-10;
    const Eigen::VectorXd rho = density.at(r);
    EXPECT_NEAR(rho[1] / rho[0], 1, 1e-6);
    EXPECT_NEAR(rho[2] / rho[0], 1, 1e-4);
    const Density::Parts parts = density.radialParts(r);
    EXPECT_LT((parts.large + parts.small - density.radial(r)).cwiseAbs().maxCoeff(), 1e-20);
  }
}

TEST(Density, NeedsRadialFunctions) {
  const Result none = compute(test::calculationFrom("$nuc znuc=2 $end"));
  EXPECT_THROW(Density{none}, Error);
  EXPECT_THROW(propertiesOf(test::calculationFrom("$nuc znuc=2 $end"), none), Error);
  const test::Computed he = test::computed("$nuc znuc=2 $end");
  EXPECT_THROW(Density(he.result.wavefunction, {2, 2}), Error);
  EXPECT_THROW(Density(he.result).at(-Eigen::VectorXd::Ones(1)), Error);
}

}  // namespace
}  // namespace prophet
