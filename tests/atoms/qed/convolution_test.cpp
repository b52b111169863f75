#include <gtest/gtest.h>

#include <cmath>

#include "atoms/qed/convolution.hpp"

namespace prophet::qed {
namespace {

Nucleus sphere(double radius) {
  Nucleus n;
  n.model = NuclearModel::Sphere;
  n.charge = 1.0;
  n.sphereRadius = radius;
  n.rms = std::sqrt(0.6) * radius;
  return n;
}

Nucleus finite(NuclearModel model, double charge) {
  NucleusRequest request;
  request.model = model;
  request.charge = charge;
  return makeNucleus(request);
}

/// Potential of a homogeneous sphere whose charges act as exp(-mu u)/u, in closed form.
double yukawaOfSphere(double mu, double radius, double r) {
  const double x = mu * radius, factor = 3.0 / (x * x * x);
  if (r >= radius) return factor * (x * std::cosh(x) - std::sinh(x)) * std::exp(-mu * r) / r;
  return factor * (mu * r - (1.0 + x) * std::exp(-x) * std::sinh(mu * r)) / r;
}

TEST(Convolution, YukawaOfASphereInClosedForm) {
  const double mu = 400.0, radius = 0.004;
  const PointSource source([&](double u) { return std::exp(-mu * u); }, 2.0);
  const ChargeDensity density(sphere(radius));
  for (const double r : {1e-14, 1e-9, 1e-6, 1e-4, 1e-3, 0.0039, 0.00401, 0.005, 0.02, 0.2, 1.0, 1e3}) {
    const double expected = yukawaOfSphere(mu, radius, std::max(r, 1e-9));  // flat below
    EXPECT_NEAR(convolve(density, source, r), expected, 2e-11 * expected + 1e-25) << r;
  }
}

TEST(Convolution, DensitiesAreNormalised) {
  for (const NuclearModel model : {NuclearModel::Sphere, NuclearModel::Gaussian, NuclearModel::Fermi}) {
    const Nucleus nucleus = finite(model, 92.0);
    const ChargeDensity density(nucleus);
    const PointSource coulomb([](double) { return 1.0; }, 10.0);
    for (const double factor : {0.01, 0.5, 0.99, 1.3, 3.0, 1e4}) {
      const double r = factor * nucleus.rms, expected = -nucleus.potential(r) / 92.0;
      EXPECT_NEAR(convolve(density, coulomb, r), expected, 1e-11 * expected)
          << nameOf(model) << " " << factor;
    }
  }
}

TEST(Convolution, DerivativeIsThatOfThePotential) {
  const Nucleus nucleus = finite(NuclearModel::Fermi, 92.0);
  const ChargeDensity density(nucleus);
  const PointSource source([](double u) { return std::exp(-300.0 * u); }, 3.0);
  for (const double factor : {0.05, 0.7, 1.5, 20.0}) {
    const double r = factor * nucleus.rms, h = 1e-3 * r;
    const auto v = [&](double s) { return convolve(density, source, s); };
    const double slope = (8.0 * (v(r + h) - v(r - h)) - (v(r + 2.0 * h) - v(r - 2.0 * h))) / (12.0 * h);
    EXPECT_NEAR(convolveDerivative(density, source, r), slope, 1e-7 * std::abs(slope)) << factor;
  }
}

/// The shortcuts outside the nucleus and at its centre against the integrals; a point source like Uehling's.
TEST(AveragedPotential, AgreesWithTheIntegrals) {
  for (const NuclearModel model : {NuclearModel::Sphere, NuclearModel::Gaussian, NuclearModel::Fermi}) {
    const Nucleus nucleus = finite(model, 40.0);
    const ChargeDensity density(nucleus);
    const OuterRules rules(density);
    EXPECT_GT(rules.extent, nucleus.rms);
    EXPECT_LT(rules.extent, 8.0 * nucleus.rms);
    const auto g = [](double u) { return -std::log(600.0 * u) * std::exp(-300.0 * u); };
    const PointSource source(g, 3.0);
    const AveragedPotential potential(density, rules, source);
    for (const double factor : {1e-5, 9e-4, 0.3, 2.1, 9.0, 16.0, 300.0, 2000.0}) {
      const double r = factor * nucleus.rms, expected = convolve(density, source, r);
      EXPECT_NEAR(potential(r), expected, 1e-11 * std::abs(expected)) << nameOf(model) << " " << factor;
      if (factor < 1e-3) continue;
      const double slope = convolveDerivative(density, source, r);
      EXPECT_NEAR(potential.derivative(r), slope, 1e-9 * std::abs(slope)) << nameOf(model) << " " << factor;
    }
  }
}

TEST(PointSource, IntegralOfALogarithm) {
  const PointSource source([](double u) { return 2.0 - 3.0 * std::log(u); }, 5.0);
  for (const double s : {1e-20, 1e-15, 1e-6, 0.3, 4.0})
    EXPECT_NEAR(source.integral(s), s * (5.0 - 3.0 * std::log(s)), 1e-12 * s * (5.0 - 3.0 * std::log(s)))
        << s;
  EXPECT_NEAR(source.value(1e-20), 2.0 - 3.0 * std::log(1e-20), 1e-10);
  EXPECT_EQ(source.integral(0.0), 0.0);
}

}  // namespace
}  // namespace prophet::qed
