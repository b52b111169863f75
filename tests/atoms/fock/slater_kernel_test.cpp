#include "atoms/fock/slater_kernel.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "atoms/angular/angular.hpp"
#include "atoms/integrals/radial.hpp"

namespace prophet {
namespace {

/// Against the kernels' definition, the inverse Fourier integral over |theta| < pi, by brute force.
TEST(SlaterKernel, KernelsAreInverseTransformsOfTheCutSymbol) {
  const double a = 2.5, h = 0.12, b = a * h, pi = 3.14159265358979323846;
  const int points = 40;
  const Eigen::VectorXd even = exponentialKernel(a, h, points), oneSided = oneSidedKernel(a, h, points);
  using Gauss = boost::math::quadrature::gauss<double, 30>;
  for (const int m : {-39, -2, -1, 0, 1, 2, 17, 39}) {
    double expectedEven = 0.0, expectedOneSided = 0.0;
    for (int panel = 0; panel < 40; ++panel) {
      const double low = pi * panel / 40, high = pi * (panel + 1) / 40;
      expectedEven += Gauss::integrate(
          [&](double t) { return 2 * b * std::cos(m * t) / (b * b + t * t) / pi; }, low, high);
      expectedOneSided += Gauss::integrate(
          [&](double t) { return (b * std::cos(m * t) + t * std::sin(m * t)) / (b * b + t * t) / pi; }, low,
          high);
    }
    EXPECT_NEAR(even(m + points - 1), expectedEven, 2e-15) << m;
    EXPECT_NEAR(oneSided(m + points - 1), expectedOneSided, 2e-15) << m;
  }
}

/// R^k of two Gaussian distributions on the grid against the closed form, also for very unequal exponents.
TEST(SlaterKernel, ReproducesSlaterIntegrals) {
  const double h = 0.1, first = 1e-8;
  const int points = 240;
  for (int k = 0; k <= 6; ++k) {
    const Eigen::VectorXd kernel = slaterKernel(k, h, points);
    for (const double ratio : {1.0, 30.0, 1e5}) {
      const int n = k + 2;
      const double a = 1.3, b = 1.3 * ratio;
      double sum = 0.0;
      for (int i = 0; i < points; ++i) {
        const double ri = first * std::exp(i * h);
        const double f = std::pow(ri, n + 0.5) * std::exp(-a * ri * ri) * h;
        for (int j = 0; j < points; ++j) {
          const double rj = first * std::exp(j * h);
          sum += f * kernel(i - j + points - 1) * std::pow(rj, n + 0.5) * std::exp(-b * rj * rj) * h;
        }
      }
      // Errors are relative to what the two distributions have with themselves (Schwarz's inequality), not to
      // an integral that may be 1e-30 of it.
      const double scale = std::sqrt(radial::slater(k, n, a, n, a) * radial::slater(k, n, b, n, b));
      EXPECT_NEAR(sum / scale, radial::slater(k, n, a, n, b) / scale, 1e-13)
          << "k " << k << " ratio " << ratio;
    }
  }
}

TEST(SlaterKernel, ExchangeKernelsAreSharedAndSummed) {
  const std::vector<Symmetry> symmetries = firstSymmetries(5);
  const int points = 30;
  const ExchangeKernels kernels(symmetries, 0.12, points);
  EXPECT_EQ(kernels.centre(0, 1), kernels.centre(1, 0));
  EXPECT_EQ(kernels.centre(1, 1), kernels.centre(0, 0));  // s+ s+ and p- p-: same j, same parity
  EXPECT_NE(kernels.centre(0, 1), kernels.centre(0, 0));
  for (int a = 0; a < 5; ++a) {
    for (int b = 0; b < 5; ++b) {
      for (const int m : {-29, -3, 0, 1, 29}) {
        double expected = 0.0;
        for (const ExchangeTerm& t : exchangeTerms(symmetries[a], symmetries[b])) {
          expected += t.coefficient * slaterKernel(t.k, 0.12, points)(m + points - 1);
        }
        EXPECT_NEAR(kernels.centre(a, b)[m] / expected, 1.0, 1e-14);
      }
    }
  }
}

}  // namespace
}  // namespace prophet
