#include "bases/optimise/minimiser.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "bases/optimise/variables.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

double valley(const std::vector<double>& x) {
  return std::pow(1.0 - x[0], 2) + 10.0 * std::pow(x[1] - x[0] * x[0], 2);
}

/// The valley with its gradient, up to x = 1.5, from where on it has no value.
double slopedValley(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  if (x(0) > 1.5) return std::numeric_limits<double>::quiet_NaN();
  const double across = x(1) - x(0) * x(0);
  gradient << -2.0 * (1.0 - x(0)) - 40.0 * x(0) * across, 20.0 * across;
  return valley({x(0), x(1)});
}

TEST(Bfgs, FindsTheBottomOfAValleyWithinBounds) {
  BfgsOptions options;
  options.tolerance = 1e-14;
  const auto value = [](const Eigen::VectorXd& x, Eigen::VectorXd& gradient, bool&) {
    return slopedValley(x, gradient);
  };
  const Minimum m = minimiseByBfgs(value, {-1.0, 1.5}, options);
  EXPECT_NEAR(m.x[0], 1.0, 2e-5);
  EXPECT_NEAR(m.x[1], 1.0, 4e-5);
  EXPECT_EQ(m.value, valley(m.x));
  EXPECT_EQ(m.reason, StopReason::Converged);
  EXPECT_LT(m.evaluations, 60);
}

TEST(Bfgs, StopsWhereItIsTold) {
  const auto until = [](int evaluations) {
    return [evaluations, count = 0](const Eigen::VectorXd& x, Eigen::VectorXd& gradient, bool& done) mutable {
      done = ++count == evaluations;
      return slopedValley(x, gradient);
    };
  };
  BfgsOptions options;
  EXPECT_EQ(minimiseByBfgs(until(7), {-1.0, 1.5}, options).evaluations, 7);
  EXPECT_EQ(minimiseByBfgs(until(7), {-1.0, 1.5}, options).reason, StopReason::Target);
  options.maxEvaluations = 5;
  const Minimum m = minimiseByBfgs(until(0), {-1.0, 1.5}, options);
  EXPECT_EQ(m.reason, StopReason::MaxEvaluations);
  EXPECT_EQ(m.value, valley(m.x));
  EXPECT_LT(m.value, valley({-1.0, 1.5}));
  EXPECT_TRUE(std::isinf(minimiseByBfgs(until(0), {2.0, 0.0}, options).value));
}

class EveryMethod : public testing::TestWithParam<MinimiserMethod> {};

TEST_P(EveryMethod, FindsTheBottomOfACurvedValley) {
  MinimiserOptions options{GetParam(), 0.2, 1e-7, 5000};
  const Minimum m = minimise(valley, {-1.0, 1.5}, options);
  EXPECT_NEAR(m.x[0], 1.0, 2e-5);
  EXPECT_NEAR(m.x[1], 1.0, 4e-5);
  EXPECT_EQ(m.value, valley(m.x));
  EXPECT_EQ(m.reason, StopReason::Converged);
}

TEST_P(EveryMethod, IsDeterministicAndStopsAtMaxfun) {
  const MinimiserOptions options{GetParam(), 0.2, 1e-9, 25};
  std::vector<std::vector<double>> first, second;
  const auto record = [](std::vector<std::vector<double>>& path) {
    return [&path](const std::vector<double>& x) {
      path.push_back(x);
      return valley(x);
    };
  };
  const Minimum m = minimise(record(first), {-1.0, 1.5}, options);
  minimise(record(second), {-1.0, 1.5}, options);
  EXPECT_EQ(first, second);
  EXPECT_EQ(m.reason, StopReason::MaxEvaluations);
  EXPECT_NEAR(m.evaluations, 25, 1);
  EXPECT_EQ(m.evaluations, static_cast<int>(first.size()));
}

TEST_P(EveryMethod, HasANameThatReadsBack) { EXPECT_EQ(minimiserOf(nameOf(GetParam())), GetParam()); }

TEST_P(EveryMethod, TakesOneVariable) {
  const MinimiserOptions options{GetParam(), 0.2, 1e-7, 500};
  const auto parabola = [](const std::vector<double>& x) { return std::pow(x[0] - 3.0, 2); };
  EXPECT_NEAR(minimise(parabola, {1.0}, options).x[0], 3.0, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(All, EveryMethod,
                         testing::Values(MinimiserMethod::Newuoa, MinimiserMethod::Bobyqa,
                                         MinimiserMethod::NelderMead, MinimiserMethod::Sbplx),
                         [](const auto& which) {
                           std::string name = nameOf(which.param);
                           name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                           return name;
                         });

TEST(Minimiser, WhatTheFunctionThrowsEndsTheRun) {
  int calls = 0;
  const auto f = [&](const std::vector<double>& x) {
    if (++calls == 7) throw std::runtime_error("stop here");
    return valley(x);
  };
  EXPECT_THROW(minimise(f, {0.0, 0.0}, {}), std::runtime_error);
  EXPECT_EQ(calls, 7);
}

TEST(Minimiser, RefusesOptionsOutOfRange) {
  EXPECT_THROW(minimise(valley, {}, {}), Error);
  EXPECT_THROW(minimise(valley, {0, 0}, {MinimiserMethod::Newuoa, 1e-5, 1e-4, 10}), Error);
  EXPECT_THROW(minimise(valley, {0, 0}, {MinimiserMethod::Newuoa, 0.1, 1e-4, 0}), Error);
  EXPECT_THROW(minimiserOf("simplex"), Error);
}

TEST(LadderVariables, ReadBackAndStayInRange) {
  const std::vector<WellTemperedParameters> groups{{0.05716, 1.749, 5.695, 1.486}, {0.3, 2.1, 0.5, 0.01}};
  const auto back = fromVariables(toVariables(groups));
  ASSERT_EQ(back.size(), 2u);
  for (int g = 0; g < 2; ++g) {
    EXPECT_NEAR(back[g].alpha, groups[g].alpha, 1e-15);
    EXPECT_NEAR(back[g].beta, groups[g].beta, 1e-14);
    EXPECT_NEAR(back[g].delta, groups[g].delta, 1e-14);
    EXPECT_NEAR(back[g].gamma, groups[g].gamma, 1e-15);
  }
  for (const double extreme : {-1e4, 1e4}) {
    const auto p = fromVariables({extreme, extreme, extreme, extreme}).front();
    EXPECT_GT(p.alpha, 0.0);
    EXPECT_GT(p.beta, 1.0);
    EXPECT_TRUE(std::isfinite(p.alpha * p.delta) || extreme > 0);
    EXPECT_TRUE(std::isfinite(p.beta) && std::isfinite(p.gamma));
  }
  // gamma = 0 (even-tempered) has no logarithm.
  EXPECT_NEAR(fromVariables(toVariables({{0.01, 1.7, 0.0, 0.0}})).front().gamma, 0.0, 1e-5);
}

}  // namespace
}  // namespace prophet
