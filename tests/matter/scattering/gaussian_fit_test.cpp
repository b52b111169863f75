#include "matter/scattering/gaussian_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/common/error.hpp"

namespace prophet {
namespace {

/// Values of a known sum.
Eigen::VectorXd valuesOf(const GaussianFit& fit, const Eigen::VectorXd& s) {
  return s.unaryExpr([&](double x) { return fit.at(x); });
}

TEST(GaussianFit, RecoversAKnownSum) {
  GaussianFit known;
  known.a = {2.1, 7.3, 5.9, 1.2};
  known.b = {0.31, 3.4, 14.2, 61.0};
  known.c = 0.7;
  const FitForm& form = fitFormNamed("cromer-mann");
  const Eigen::VectorXd s = fitSamples(form);
  const GaussianFit fit = fitGaussians(form, s, valuesOf(known, s));
  EXPECT_LT(fit.largestError, 1e-6);
  for (int i = 0; i < form.gaussians; ++i) {
    EXPECT_NEAR(fit.a[i], known.a[i], 1e-3);
    EXPECT_NEAR(fit.b[i], known.b[i], 1e-3 * known.b[i]);
  }
  EXPECT_NEAR(fit.c, known.c, 1e-3);
}

TEST(GaussianFit, StatesItsErrors) {
  const FitForm& form = fitFormNamed("doyle-turner");
  const Eigen::VectorXd s = fitSamples(form);
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0.0, 1e-2);
  const Eigen::VectorXd f =
      s.unaryExpr([&](double x) { return 10 / (1 + 20 * x * x) / (1 + x * x) + noise(random); });
  const GaussianFit fit = fitGaussians(form, s, f);
  const Eigen::ArrayXd error = (f - valuesOf(fit, s)).array().abs();
  EXPECT_DOUBLE_EQ(fit.largestError, error.maxCoeff());
  EXPECT_NEAR(fit.rmsError, std::sqrt(error.square().mean()), 1e-15);
  EXPECT_GT(fit.largestError, 5e-3);
  EXPECT_LT(fit.largestError, 1e-1);
  EXPECT_EQ(fit.c, 0);
  EXPECT_TRUE(std::is_sorted(fit.b.begin(), fit.b.end()));
}

// Without bounds on b, two functions of one width with coefficients of 30,000 may win.
TEST(GaussianFit, HasNoCoefficientsThatCancel) {
  for (const char* name : {"cromer-mann", "waasmaier-kirfel"}) {
    const FitForm& form = fitFormNamed(name);
    const Eigen::VectorXd s = fitSamples(form);
    const Eigen::VectorXd f = s.unaryExpr([](double x) { return 20 / std::pow(1 + 2 * x * x, 2); });
    const GaussianFit fit = fitGaussians(form, s, f);
    for (const double a : fit.a) EXPECT_LT(std::abs(a), 200) << name;
    for (int i = 1; i < form.gaussians; ++i) EXPECT_GE(fit.b[i], 1.4999 * fit.b[i - 1]) << name;
  }
}

TEST(GaussianFit, IsTheSameEveryTime) {
  const FitForm& form = fitFormNamed("waasmaier-kirfel");
  const Eigen::VectorXd s = fitSamples(form);
  const Eigen::VectorXd f = s.unaryExpr([](double x) { return 6 / std::pow(1 + 3 * x * x, 2); });
  const GaussianFit one = fitGaussians(form, s, f), two = fitGaussians(form, s, f);
  EXPECT_EQ(one.a, two.a);
  EXPECT_EQ(one.b, two.b);
  EXPECT_EQ(one.c, two.c);
}

TEST(GaussianFit, RefusesWhatItCannotFit) {
  const FitForm& form = fitFormNamed("Waasmaier-Kirfel");
  EXPECT_EQ(form.gaussians, 5);
  Eigen::VectorXd s = fitSamples(form), f = Eigen::VectorXd::Ones(s.size());
  f(0) = INFINITY;
  EXPECT_THROW(fitGaussians(form, s, f), Error);
  EXPECT_THROW(fitGaussians(form, s.head(10), f.head(10)), Error);
  EXPECT_THROW(fitGaussians(form, s, f.tail(20)), Error);
  EXPECT_THROW(fitFormNamed("six-gaussians"), Error);
}

}  // namespace
}  // namespace prophet
