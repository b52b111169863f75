#include "atoms/integrals/radial.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/exp_sinh.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <random>

namespace prophet {
namespace {

TEST(Radial, GammaOfHalfIntegers) {
  for (int n = 1; n < 60; ++n) {
    EXPECT_NEAR(radial::gammaHalf(n) / boost::math::tgamma(0.5 * n), 1.0, 1e-14) << n;
  }
}

TEST(Radial, MomentsMatchQuadrature) {
  boost::math::quadrature::exp_sinh<double> integrator;
  for (int n = 0; n < 12; ++n) {
    const double a = 0.3 + 0.7 * n;
    const double expected = integrator.integrate([&](double r) {
      const double f = std::pow(r, n) * std::exp(-a * r * r);
      return std::isfinite(f) ? f : 0.0;
    });
    EXPECT_NEAR(radial::moment(n, a) / expected, 1.0, 1e-12) << n;
  }
}

/// Both parts by incomplete gamma functions, for tight and wide functions beside the sphere.
TEST(Radial, SphereMatchesIncompleteGammaFunctions) {
  const double radius = 1.4e-4;
  for (int m = 0; m < 9; ++m) {
    for (double p = 1e-3; p < 1e20; p *= 7.3) {
      const double x = p * radius * radius;
      const auto inside = [&](int power) {
        const double a = 0.5 * (power + 1);
        return 0.5 * boost::math::gamma_p(a, x) * boost::math::tgamma(a) / std::pow(p, a);
      };
      const int n = 2 * m + 2;
      const double outside =
          0.5 * boost::math::gamma_q(m + 1.0, x) * boost::math::tgamma(m + 1.0) / std::pow(p, m + 1);
      const double expected =
          (3.0 * inside(n) - inside(n + 2) / (radius * radius)) / (2.0 * radius) + outside;
      EXPECT_NEAR(radial::sphereCloud(m, p, radius) / expected, 1.0, 1e-13) << m << " " << p;
    }
  }
}

/// The inner integral by incomplete gamma functions, the outer one by Gauss-Kronrod in ln r.
double slaterByQuadrature(int k, int n1, double a, int n2, double b) {
  const auto lower = [&](double r) {
    const double s = 0.5 * (n2 + k + 1);
    return 0.5 * boost::math::tgamma_lower(s, b * r * r) / std::pow(b, s);
  };
  const auto upper = [&](double r) {
    const double s = 0.5 * (n2 - k);
    return 0.5 * boost::math::tgamma(s, b * r * r) / std::pow(b, s);
  };
  const auto integrand = [&](double x) {
    const double r = std::exp(x);
    return r * std::pow(r, n1) * std::exp(-a * r * r) *
           (lower(r) / std::pow(r, k + 1) + upper(r) * std::pow(r, k));
  };
  double sum = 0.0;
  for (double x = -25; x < 8; x += 0.5) {
    sum += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(integrand, x, x + 0.5, 4, 1e-13);
  }
  return sum;
}

TEST(Radial, SlaterIntegralsMatchQuadratureOnRandomInput) {
  std::mt19937 random(86);
  std::uniform_real_distribution<double> logExponent(-2.0, 6.0);
  for (int i = 0; i < 60; ++i) {
    const int k = i % 5;
    const int n1 = k + 2 + 2 * static_cast<int>(random() % 4),
              n2 = k + 2 + 2 * static_cast<int>(random() % 4);
    const double a = std::exp(logExponent(random)), b = std::exp(logExponent(random));
    const double expected = slaterByQuadrature(k, n1, a, n2, b);
    EXPECT_NEAR(radial::slater(k, n1, a, n2, b) / expected, 1.0, 1e-11) << k << ' ' << n1 << ' ' << n2;
    EXPECT_EQ(radial::slater(k, n1, a, n2, b), radial::slater(k, n2, b, n1, a));
  }
}

TEST(Radial, GaussianCloudMatchesQuadrature) {
  for (int m = 0; m < 6; ++m) {
    const double p = 2.0 + m, xi = 5.0;
    double expected = 0.0;
    const auto f = [&](double r) {
      return std::pow(r, 2 * m + 1) * std::exp(-p * r * r) * std::erf(std::sqrt(xi) * r);
    };
    for (double r = 0; r < 8; r += 0.5) {
      expected += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(f, r, r + 0.5, 2, 1e-14);
    }
    EXPECT_NEAR(radial::gaussianCloud(m, p, xi) / expected, 1.0, 1e-12) << m;
  }
}

}  // namespace
}  // namespace prophet
