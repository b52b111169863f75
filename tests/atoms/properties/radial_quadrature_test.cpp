#include "atoms/properties/spinor_integrals.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace prophet {
namespace {

double integral(const RadialQuadrature& q, double power, double (*f)(double)) {
  return q.integral(q.radii().unaryExpr(f).array(), power);
}

TEST(RadialQuadrature, IntegratesPowersTimesExponentials) {
  const RadialQuadrature q({1e-2, 60, {}, 0.25});
  EXPECT_NEAR(integral(q, 0, [](double r) { return std::exp(-r); }), 1, 1e-13);
  EXPECT_NEAR(integral(q, 6, [](double r) { return std::pow(r, 6) * std::exp(-r); }) / 720, 1, 1e-13);
  EXPECT_NEAR(integral(q, 2, [](double r) { return r * r * std::exp(-r * r); }), std::sqrt(M_PI) / 4, 1e-13);
}

// The integral of r^-0.9 exp(-r) is Gamma(0.1) = 9.5135; two thirds of it lie below r = 0.01, a third below
// the join.
TEST(RadialQuadrature, TakesWhatLiesBelowTheFirstPanelInClosedForm) {
  const RadialQuadrature q({0.05, 60, {}, 0.25});
  EXPECT_NEAR(integral(q, -0.9, [](double r) { return std::pow(r, -0.9) * std::exp(-r); }), std::tgamma(0.1),
              1e-10);
  EXPECT_NEAR(
      integral(q, -0.999, [](double r) { return std::pow(r, -0.999) * std::exp(-r); }) / std::tgamma(0.001),
      1, 1e-10);
}

TEST(RadialQuadrature, PutsNoJumpIntoAPanel) {
  const auto step = [](double r) { return r < 0.7 ? 1.0 : 0.0; };
  const RadialQuadrature at({1e-3, 10, {0.7}, 0.25}), notAt({1e-3, 10, {}, 0.25});
  EXPECT_NEAR(integral(at, 0, step), 0.7, 1e-14);
  EXPECT_GT(std::abs(integral(notAt, 0, step) - 0.7), 1e-6);
}

}  // namespace
}  // namespace prophet
