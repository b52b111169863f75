#include "atoms/atom/fermi.hpp"

#include <array>
#include <boost/math/constants/constants.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>

namespace prophet::fermi {
namespace {

constexpr double kPi2 = boost::math::double_constants::pi_sqr;
constexpr int kTerms = 24;
constexpr int kLargestK = 5;

// Weights of the alternating-sum acceleration of Cohen, Rodriguez Villegas & Zagier, Exp. Math. 9, 3 (2000),
// algorithm 1. exp(-n u)/n^k are moments of a positive measure on [0, 1] for every u >= 0, so the error is
// below 2 (3 + sqrt 8)^-24 = 1e-18 of the sum, uniformly in u: no slow convergence near r = c.
struct Weights {
  std::array<std::array<double, kTerms>, kLargestK + 1> of{};  // [k][n-1], signs and 1/n^k included

  Weights() {
    double d = std::pow(3.0 + std::sqrt(8.0), kTerms);
    d = (d + 1.0 / d) / 2.0;
    double b = -1.0, c = -d;
    for (int n = 0; n < kTerms; ++n) {
      c = b - c;
      double w = c / d;
      for (int k = 0; k <= kLargestK; ++k, w /= n + 1) of[k][n] = w;
      b *= 2.0 * (n + kTerms) * (n - kTerms) / ((2.0 * n + 1.0) * (n + 1.0));
    }
  }
};

double density(double s, double y) { return 1.0 / (1.0 + std::exp(s - y)); }

// Integral of t (1-t) f(x t) over t in [0, 1], x <= 1. The nearest pole of f is pi away from the real axis,
// so ten Gauss points converge like 12^-20.
double innerIntegral(double x, double y) {
  using Rule = boost::math::quadrature::gauss<double, 10>;
  double sum = 0.0;
  for (std::size_t i = 0; i < Rule::abscissa().size(); ++i)
    for (const double node : {-Rule::abscissa()[i], Rule::abscissa()[i]}) {
      const double t = 0.5 * (1.0 + node);
      sum += 0.5 * Rule::weights()[i] * t * (1.0 - t) * density(x * t, y);
    }
  return sum;
}

// d eta_k(u)/du = -eta_(k-1)(u), eta_1(u) = ln(1 + exp(-u)).
double momentSlope(int k, double y) {
  const double y2 = y * y;
  if (k == 2) return y2 + kPi2 / 3.0 - 2.0 * eta(2, y);
  return y2 * y2 + 2.0 * kPi2 * y2 + 7.0 * kPi2 * kPi2 / 15.0 - 24.0 * eta(4, y);
}

}  // namespace

double eta(int k, double u) {
  static const Weights weights;
  const auto& w = weights.of[static_cast<std::size_t>(k)];
  const double q = std::exp(-u);
  double sum = 0.0;
  for (int n = kTerms - 1; n >= 0; --n) sum = (sum + w[static_cast<std::size_t>(n)]) * q;
  return sum;
}

// Complete Fermi-Dirac integrals; the inversion formula of the polylogarithm turns exp(y) into exp(-y).
double moment(int k, double y) {
  const double y2 = y * y;
  if (k == 2) return y * (y2 + kPi2) / 3.0 + 2.0 * eta(3, y);
  return y * (y2 * y2 / 5.0 + 2.0 * kPi2 * y2 / 3.0 + 7.0 * kPi2 * kPi2 / 15.0) + 24.0 * eta(5, y);
}

// W = Q + x T obeys W(0) = 0, W'(0) = T(0) = y^2/2 + pi^2/6 - eta_2(y), W'' = -x f(x). With f expanded in
// exp(-(s-y)) outside and exp(-(y-s)) inside:
//   x >= y: W = N - x eta_2(x-y) - 2 eta_3(x-y);
//   x <  y: W = x (y^2/2 + pi^2/6) - x^3/6 + x eta_2(y-x) - 2 [eta_3(y-x) - eta_3(y)].
// Both lose digits as x -> 0; there W = x T(0) - x^3 integral of t (1-t) f(x t) over t in [0, 1] does not.
double reducedPotential(double x, double y) {
  const double norm = moment(2, y);
  const double linear = y * y / 2.0 + kPi2 / 6.0;
  if (x <= 1.0) return (linear - eta(2, y) - x * x * innerIntegral(x, y)) / norm;
  if (x >= y) return (1.0 - (x * eta(2, x - y) + 2.0 * eta(3, x - y)) / norm) / x;
  return (linear - x * x / 6.0 + eta(2, y - x) - 2.0 * (eta(3, y - x) - eta(3, y)) / x) / norm;
}

// From the closed forms of W above, W/(x N).
double reducedPotentialSlope(double x, double y) {
  const double norm = moment(2, y), normSlope = momentSlope(2, y);
  if (x >= y) {
    const double lacking = x * eta(2, x - y) + 2.0 * eta(3, x - y);
    return (lacking * normSlope / norm - x * eta(1, x - y) - 2.0 * eta(2, x - y)) / (x * norm);
  }
  const double slope = y - eta(1, y - x) + 2.0 * (eta(2, y - x) - eta(2, y)) / x;
  return slope / norm - reducedPotential(x, y) * normSlope / norm;
}

double meanSquareSlope(double y) {
  const double norm = moment(2, y);
  return (momentSlope(4, y) - moment(4, y) / norm * momentSlope(2, y)) / norm;
}

double smallestRms() { return std::sqrt(moment(4, 0.0) / moment(2, 0.0)); }

double halfDensityRadius(double rms) {
  const double target = rms * rms;
  const auto excess = [target](double y) { return moment(4, y) / moment(2, y) - target; };
  const double upper = rms * std::sqrt(5.0 / 3.0) + 1.0;  // a sphere of that radius without skin is larger
  if (excess(0.0) >= 0.0) return 0.0;
  std::uintmax_t iterations = 100;
  const auto bracket = boost::math::tools::toms748_solve(
      excess, 0.0, upper, boost::math::tools::eps_tolerance<double>(52), iterations);
  return 0.5 * (bracket.first + bracket.second);
}

}  // namespace prophet::fermi
