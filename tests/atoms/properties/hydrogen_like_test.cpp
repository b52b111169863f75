// One electron in the field of a point: everything is known in closed form. The limit's B-splines know
// nothing of these formulas.
#include <gtest/gtest.h>

#include <cmath>

#include "core/common/constants.hpp"
#include "with_spinors.hpp"

namespace prophet {
namespace {

constexpr double kHydrogenC = constants::kSpeedOfLight;

/// Quantum numbers of the Dirac-Coulomb problem: gamma, radial number n_r, apparent principal number N.
struct DiracState {
  DiracState(double charge, int n, int kappaOf) : z(charge), kappa(kappaOf), nr(n - std::abs(kappaOf)) {
    gamma = std::sqrt(kappa * kappa - z * z / (kHydrogenC * kHydrogenC));
    apparent = std::sqrt(n * n - 2 * nr * (std::abs(kappa) - gamma));
  }
  double z;
  int kappa;
  double nr, gamma = 0, apparent = 0;

  // Burke & Grant, Proc. Phys. Soc. 90, 297 (1967).
  double meanRadius() const {
    return ((gamma + nr) * (3 * apparent * apparent - kappa * kappa) - kappa * apparent) / (2 * z * apparent);
  }
  double meanInverseRadius() const {
    return z * (gamma * nr + kappa * kappa) / (gamma * std::pow(apparent, 3));
  }
  // Shabaev, J. Phys. B 24, 4479 (1991): integral of P Q r^-2, and <r^-2> from it.
  double magneticDipole() const {
    return std::pow(z, 3) / kHydrogenC * (2 * kappa * (gamma + nr) - apparent) /
           (std::pow(apparent, 4) * gamma * (4 * gamma * gamma - 1));
  }
  double meanInverseSquare() const { return 2 * kappa * kHydrogenC / z * magneticDipole(); }
  // n_r = 0: P and Q are multiples of r^gamma exp(-Z r/n), so that <r^k> is a quotient of gamma functions.
  double nodelessPower(int k) const {
    return std::tgamma(2 * gamma + 1 + k) / std::tgamma(2 * gamma + 1) / std::pow(2 * z / std::abs(kappa), k);
  }
};

class HydrogenLike : public testing::TestWithParam<double> {
 protected:
  // The limit's functions are accurate to 1e-11 of their largest value; next to the nucleus, which r^-2
  // stresses the more the closer gamma comes to 1/2, to less of their own.
  static double tolerance() { return GetParam() > 100 ? 5e-7 : 2e-8; }
  test::Computed ion(const std::string& shell) const {
    return test::computedLimit(
        "$nuc znuc=" + std::to_string(GetParam()) + " nucmdl='point' $end $electrons charge=" +
        std::to_string(static_cast<int>(GetParam()) - 1) + " config='" + shell + "' $end");
  }
  void check(const test::Computed& c, const std::string& label, int n, int kappa) const {
    const int i = test::indexOf(c.result, label);
    ASSERT_GE(i, 0) << label;
    const DiracState state(GetParam(), n, kappa);
    const PowerMoments& moments = c.properties.moments[i];
    const auto near = [&](int k, double exact) {
      EXPECT_NEAR(moments.of(k).value() / exact, 1, tolerance()) << label << " r^" << k;
    };
    near(0, 1);
    near(1, state.meanRadius());
    near(-1, state.meanInverseRadius());
    near(-2, state.meanInverseSquare());
    if (state.nr == 0) {
      for (int k = kLowestPower; k <= kHighestPower; ++k) {
        if (moments.of(k)) near(k, state.nodelessPower(k));
      }
    }
    for (const HyperfineIntegrals& h : c.properties.hyperfine) {
      if (h.label != label) continue;
      EXPECT_NEAR(*h.magneticDipole / state.magneticDipole(), 1, tolerance()) << label;
    }
  }
};

TEST_P(HydrogenLike, HasTheMomentsOfDiracsSolution) {
  check(ion("1s1"), "1s1/2", 1, -1);
  check(ion("2s1"), "2s1/2", 2, -1);
  const test::Computed p = ion("2p1"), d = ion("3d1");
  check(p, "2p1/2", 2, 1);
  check(p, "2p3/2", 2, -2);
  check(d, "3d3/2", 3, 2);
  check(d, "3d5/2", 3, -3);
}

TEST_P(HydrogenLike, HasNoMomentsThatDiverge) {
  const test::Computed s = ion("1s1"), p = ion("2p1");
  EXPECT_FALSE(s.properties.moments[0].of(-3));
  EXPECT_FALSE(s.properties.total.of(-3));
  EXPECT_TRUE(s.properties.total.of(-2));
  EXPECT_FALSE(p.properties.moments[0].of(-3));
  EXPECT_TRUE(p.properties.moments[1].of(-3));
  EXPECT_FALSE(s.properties.nucleus.density);  // infinite
  EXPECT_FALSE(s.properties.nucleus.energySlope);
}

INSTANTIATE_TEST_SUITE_P(Charges, HydrogenLike, testing::Values(1, 80, 110));

TEST(Hyperfine, OfTheHydrogenGroundState) {
  // mu_p = 2.79284734463 nuclear magnetons, I = 1/2. The measured 1420.405752 MHz have the anomalous moment
  // of the electron, 1.00115965218, in them and its reduced mass, (1 + 1/1836.152673)^-3, and a remainder of
  // -(5.8 + 32.6 + ...) ppm from QED and the size and recoil of the proton.
  const test::Computed h =
      test::computedLimit("$nuc znuc=1 nucmdl='point' $end $electrons config='1s1' $end");
  ASSERT_EQ(h.properties.hyperfine.size(), 1U);
  const HyperfineIntegrals& i = h.properties.hyperfine[0];
  EXPECT_EQ(i.label, "1s1/2");
  EXPECT_FALSE(i.electricQuadrupole);
  const double measured = 1420.405752 / 1.00115965218 * std::pow(1 + 1 / 1836.152673, 3);
  EXPECT_NEAR(*i.magneticConstant * 2.79284734463 / 0.5 / measured, 1, 2e-4);
}

}  // namespace
}  // namespace prophet
