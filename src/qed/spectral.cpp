#include "qed/spectral.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numeric>
#include <vector>

namespace prophet::qed {
namespace {

/// Nodes in theta: double-exponential on [0, 1], where ln sinh(theta) is singular, then Gauss-Legendre on
/// panels of unit length. Panels are used up to where exp(-x cosh(theta)) vanishes.
struct Rule {
  std::vector<double> theta, weight;

  Rule() {
    constexpr double kStep = 1.0 / 16.0, kPi = 3.14159265358979323846;
    for (int i = -56; i <= 56; ++i) {
      const double s = 0.5 * kPi * std::sinh(i * kStep), c = std::cosh(s);
      theta.push_back(0.5 * std::exp(s) / c);
      weight.push_back(0.25 * kStep * kPi * std::cosh(i * kStep) / (c * c));
    }
    using Gauss = boost::math::quadrature::gauss<double, 20>;
    for (int panel = 1; panel < 60; ++panel) {
      for (std::size_t j = 0; j < Gauss::abscissa().size(); ++j) {
        for (const double sign : {-1.0, 1.0}) {
          theta.push_back(panel + 0.5 * (1.0 + sign * Gauss::abscissa()[j]));
          weight.push_back(0.5 * Gauss::weights()[j]);
        }
      }
    }
  }
};

const Rule& rule() {
  static const Rule instance;
  return instance;
}

/// integral over theta > 0 of f(theta, cosh theta), f negligible beyond thetaMax.
template <class Function>
double integrate(double thetaMax, const Function& f) {
  double sum = 0.0;
  for (std::size_t i = 0; i < rule().theta.size(); ++i) {
    if (rule().theta[i] > thetaMax + 1.0) break;
    sum += rule().weight[i] * f(rule().theta[i], std::cosh(rule().theta[i]));
  }
  return sum;
}

/// integral of exp(-x cosh theta) f(theta, cosh theta).
template <class Function>
double damped(double x, const Function& f) {
  const double thetaMax = std::log(2.0 + 1500.0 / x);
  return std::exp(-x) * integrate(thetaMax, [&](double theta, double t) {
           const double s = std::sinh(0.5 * theta);
           return std::exp(-2.0 * x * s * s) * f(theta, t);
         });
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

/// Two-loop spectral function times sinh(theta) at the nodes of the rule.
class TwoLoopWeights {
 public:
  TwoLoopWeights() : values_(rule().theta.size()) {
    using Gauss = boost::math::quadrature::gauss<double, 10>;
    std::vector<std::size_t> order(values_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [](std::size_t a, std::size_t b) { return rule().theta[a] > rule().theta[b]; });
    double inner = 0.0, above = 60.0;
    for (const std::size_t i : order) {
      const double theta = rule().theta[i];
      if (theta < above) inner += Gauss::integrate(innerIntegrand, theta, above);
      above = theta;
      values_[i] = spectralFunction(theta, inner) * std::sinh(theta);
    }
  }
  double operator[](std::size_t i) const { return values_[i]; }

 private:
  static double spectralFunction(double theta, double inner) {
    const double t = std::cosh(theta), s = std::sinh(theta), u = 1.0 / t, u2 = u * u;
    const double logarithm = s > 0.0 ? s * std::log(8.0 * t * s * s) : 0.0;
    return u * (2.0 / 3.0 * u2 * u2 - 8.0 / 3.0) * inner + u2 * (2.0 / 3.0 * u2 + 4.0 / 3.0) * logarithm +
           s * u2 * (2.0 / 9.0 * u2 * u2 + 7.0 / 108.0 * u2 + 13.0 / 54.0) +
           u * (2.0 / 9.0 * u2 * u2 * u2 + 1.25 * u2 * u2 + 2.0 / 3.0 * u2 - 44.0 / 9.0) * theta;
  }

  std::vector<double> values_;
};

}  // namespace

double kallenSabry(double x) {
  static const TwoLoopWeights weights;
  const double thetaMax = std::log(2.0 + 1500.0 / x);
  double sum = 0.0;
  for (std::size_t i = 0; i < rule().theta.size(); ++i) {
    if (rule().theta[i] > thetaMax + 1.0) break;
    sum += rule().weight[i] * weights[i] * std::exp(-x * std::cosh(rule().theta[i]));
  }
  return sum;
}

double uehling(double x) {
  return damped(x, [](double theta, double t) {
    const double s = std::sinh(theta), t2 = t * t;
    return s * s / t2 * (1.0 + 0.5 / t2);
  });
}

double electricFormFactor(double x, double logarithm) {
  return damped(x, [logarithm](double theta, double t) {
    const double inverse = 1.0 / (t * t);
    return (1.0 - 0.5 * inverse) * (2.0 * std::log(std::sinh(theta)) + logarithm) - 1.5 + inverse;
  });
}

double magneticFormFactor(double x) {
  return integrate(40.0, [x](double, double t) { return -std::expm1(-x * t) / (t * t); });
}

double magneticField(double x) {
  return integrate(40.0, [x](double, double t) { return fieldFactor(x * t) / (t * t); });
}

}  // namespace prophet::qed
