#include "atoms/qed/spectral.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/common/constants.hpp"

namespace prophet::qed {
namespace {

/// Nodes in theta: double-exponential on [0, 1], where ln sinh(theta) is singular, then Gauss-Legendre on
/// panels of unit length. Panels are used up to where exp(-x cosh(theta)) vanishes.
struct Rule {
  std::vector<double> theta, weight;
  std::vector<double> cosh, excess;  ///< cosh(theta) and cosh(theta) - 1 at full accuracy
  std::size_t inner = 0;             ///< nodes of [0, 1]; each further panel has 20

  Rule() {
    using constants::kPi;
    constexpr double kStepInT = 1.0 / 16.0;
    for (int i = -56; i <= 56; ++i) {
      const double s = 0.5 * kPi * std::sinh(i * kStepInT), c = std::cosh(s);
      theta.push_back(0.5 * std::exp(s) / c);
      weight.push_back(0.25 * kStepInT * kPi * std::cosh(i * kStepInT) / (c * c));
    }
    inner = theta.size();
    using Gauss = boost::math::quadrature::gauss<double, 20>;
    for (int panel = 1; panel < 60; ++panel) {
      for (std::size_t j = 0; j < Gauss::abscissa().size(); ++j) {
        for (const double sign : {-1.0, 1.0}) {
          theta.push_back(panel + 0.5 * (1.0 + sign * Gauss::abscissa()[j]));
          weight.push_back(0.5 * Gauss::weights()[j]);
        }
      }
    }
    for (const double x : theta) {
      cosh.push_back(std::cosh(x));
      excess.push_back(2.0 * std::sinh(0.5 * x) * std::sinh(0.5 * x));
    }
  }
};

const Rule& rule() {
  static const Rule instance;
  return instance;
}

/// Number of nodes up to the end of the panel that holds `largest`.
std::size_t nodesBelow(double largest) {
  const double panels = std::clamp(std::ceil(largest) - 1.0, 0.0, 59.0);
  return std::min(rule().theta.size(), rule().inner + 20 * static_cast<std::size_t>(panels));
}

/// Nodes up to where exp(-x (cosh theta - 1)) falls below 1e-21.
std::size_t dampedNodes(double x) { return nodesBelow(std::log(2.0 + 100.0 / x)); }

/// The rule's weights times f(theta, cosh theta): what does not depend on x is computed once.
template <class Function>
std::vector<double> weighted(const Function& f) {
  std::vector<double> values(rule().theta.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = rule().weight[i] * f(rule().theta[i], rule().cosh[i]);
  return values;
}

/// integral of exp(-x cosh theta) f(theta), f by its weighted values.
double damped(double x, const std::vector<double>& values) {
  const std::size_t count = dampedNodes(x);
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) sum += values[i] * std::exp(-x * rule().excess[i]);
  return std::exp(-x) * sum;
}

/// integral over theta > 0 of f(x cosh theta)/cosh^2 theta.
template <class Function>
double overSquare(double x, const Function& f) {
  static const std::vector<double> values = weighted([](double, double t) { return 1.0 / (t * t); });
  static const std::size_t count = nodesBelow(40.0);
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) sum += values[i] * f(x * rule().cosh[i]);
  return sum;
}

/// (1 + y) exp(-y) - 1 without cancellation.
double fieldFactor(double y) {
  if (y > 0.5) return (1.0 + y) * std::exp(-y) - 1.0;
  double power = y, sum = 0.0;
  for (int k = 2; k < 20; ++k) {
    power *= -y / k;
    sum += (k - 1) * power;
  }
  return sum;
}

/// Inner integrand of the two-loop spectral function at x = cosh y: (3x^2 - 1)/(x (x^2 - 1)) y - ln[8x(x^2 -
/// 1)]/sinh y, times dx/dy, without the cancellation of its leading terms 3y.
double innerIntegrand(double y) {
  const double q = std::exp(-2.0 * y), one = -std::expm1(-2.0 * y);
  return y * (2.0 * q + 6.0 * q * q) / (one * (1.0 + q)) - std::log1p(q) - 2.0 * std::log(one);
}

/// Two-loop spectral function at theta; `inner`: the integral of innerIntegrand from theta to infinity.
double spectralFunction(double theta, double inner) {
  const double t = std::cosh(theta), s = std::sinh(theta), u = 1.0 / t, u2 = u * u;
  const double logarithm = s > 0.0 ? s * std::log(8.0 * t * s * s) : 0.0;
  return u * (2.0 / 3.0 * u2 * u2 - 8.0 / 3.0) * inner + u2 * (2.0 / 3.0 * u2 + 4.0 / 3.0) * logarithm +
         s * u2 * (2.0 / 9.0 * u2 * u2 + 7.0 / 108.0 * u2 + 13.0 / 54.0) +
         u * (2.0 / 9.0 * u2 * u2 * u2 + 1.25 * u2 * u2 + 2.0 / 3.0 * u2 - 44.0 / 9.0) * theta;
}

/// Weighted values of the two-loop spectral function times sinh(theta).
std::vector<double> twoLoopValues() {
  using Gauss = boost::math::quadrature::gauss<double, 10>;
  const std::vector<double>& theta = rule().theta;
  std::vector<std::size_t> order(theta.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return theta[a] > theta[b]; });
  std::vector<double> values(theta.size());
  double inner = 0.0, above = 60.0;
  for (const std::size_t i : order) {
    if (theta[i] < above) inner += Gauss::integrate(innerIntegrand, theta[i], above);
    above = theta[i];
    values[i] = rule().weight[i] * spectralFunction(theta[i], inner) * std::sinh(theta[i]);
  }
  return values;
}

}  // namespace

double kallenSabry(double x) {
  static const std::vector<double> values = twoLoopValues();
  return damped(x, values);
}

double uehling(double x) {
  static const std::vector<double> values = weighted([](double theta, double t) {
    const double s = std::sinh(theta), t2 = t * t;
    return s * s / t2 * (1.0 + 0.5 / t2);
  });
  return damped(x, values);
}

double electricFormFactor(double x, double logarithm) {
  static const std::vector<double> first = weighted([](double theta, double t) {
    const double inverse = 1.0 / (t * t);
    return (1.0 - 0.5 * inverse) * 2.0 * std::log(std::sinh(theta)) - 1.5 + inverse;
  });
  static const std::vector<double> second = weighted([](double, double t) { return 1.0 - 0.5 / (t * t); });
  const std::size_t count = dampedNodes(x);
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i)
    sum += (first[i] + logarithm * second[i]) * std::exp(-x * rule().excess[i]);
  return std::exp(-x) * sum;
}

double magneticFormFactor(double x) {
  return overSquare(x, [](double y) { return -std::expm1(-y); });
}

double magneticField(double x) { return overSquare(x, fieldFactor); }

}  // namespace prophet::qed
