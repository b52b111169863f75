#include "fock/slater_kernel.hpp"

#include <cmath>
#include <complex>
#include <map>
#include <tuple>

#include "angular/angular.hpp"

namespace prophet {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// Auxiliary function of the sine integral, Si(x) = pi/2 - f(x) cos x - g(x) sin x, x >= pi: -Im e^z E1(z) at
/// z = i x by the continued fraction of E1 (DLMF 6.9.1, evaluated as in Lentz's method).
double sineAuxiliary(double x) {
  const std::complex<double> z(0.0, x);
  std::complex<double> b = z + 1.0, c = 1e300, d = 1.0 / b, result = d;
  for (int n = 1; n < 1000; ++n) {
    const double a = -static_cast<double>(n) * n;
    b += 2.0;
    d = 1.0 / (a * d + b);
    c = b + a / c;
    const std::complex<double> factor = c * d;
    result *= factor;
    if (std::abs(factor - 1.0) < 1e-16) break;
  }
  return -result.imag();
}

}  // namespace

Eigen::VectorXd sincIntegrationWeights(int points) {
  Eigen::VectorXd s(2 * points - 1);
  s(points - 1) = 0.5;
  for (int m = 1; m < points; ++m) {
    const double tail = (m % 2 == 0 ? 1.0 : -1.0) * sineAuxiliary(kPi * m) / kPi;
    s(points - 1 - m) = tail;
    s(points - 1 + m) = 1.0 - tail;
  }
  return s;
}

Eigen::VectorXd slaterKernel(int k, double h, int points) {
  const Eigen::VectorXd s = sincIntegrationWeights(points);
  Eigen::VectorXd kernel(2 * points - 1);
  for (int m = 0; m < points; ++m) {
    const double exponent = (k + 0.5) * h * m;
    kernel(points - 1 + m) = s(points - 1 + m) * std::exp(-exponent) + s(points - 1 - m) * std::exp(exponent);
    kernel(points - 1 - m) = kernel(points - 1 + m);
  }
  return kernel;
}

ExchangeKernels::ExchangeKernels(const std::vector<Symmetry>& symmetries, double h, int points)
    : count_(static_cast<int>(symmetries.size())), points_(points), coulomb_(slaterKernel(0, h, points)) {
  std::map<int, Eigen::VectorXd> multipoles;
  std::map<std::tuple<int, int, int>, int> known;
  for (const Symmetry a : symmetries) {
    for (const Symmetry b : symmetries) {
      const auto key =
          std::make_tuple(std::min(a.twoJ(), b.twoJ()), std::max(a.twoJ(), b.twoJ()), (a.l() + b.l()) % 2);
      const auto [entry, isNew] = known.emplace(key, static_cast<int>(kernels_.size()));
      which_.push_back(entry->second);
      if (!isNew) continue;
      Eigen::VectorXd sum = Eigen::VectorXd::Zero(2 * points - 1);
      for (const ExchangeTerm& term : exchangeTerms(a, b)) {
        if (!multipoles.count(term.k)) multipoles[term.k] = slaterKernel(term.k, h, points);
        sum += term.coefficient * multipoles[term.k];
      }
      kernels_.push_back(std::move(sum));
    }
  }
}

}  // namespace prophet
