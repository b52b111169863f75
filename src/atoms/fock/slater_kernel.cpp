#include "atoms/fock/slater_kernel.hpp"

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

#include "atoms/angular/angular.hpp"
#include "core/common/constants.hpp"

namespace prophet {

std::shared_ptr<const CrossKernels> extended(const CrossKernels& kernels, int points) {
  auto result = std::make_shared<CrossKernels>(kernels);
  result->points = points;
  for (auto* list : {&result->largeFromSmall, &result->smallFromLarge, &result->mixed}) {
    for (Eigen::VectorXd& kernel : *list) {
      Eigen::VectorXd longer = Eigen::VectorXd::Zero(2 * points - 1);
      longer.segment(points - kernels.points, kernel.size()) = kernel;
      kernel = std::move(longer);
    }
  }
  return result;
}

namespace {

using constants::kPi;

/// Nodes u and weights w exp(-u) for integrals of exp(-u) f(u) over u > 0: Gauss-Legendre on panels, because
/// f has poles at a distance of pi m from the axis, too near for Gauss-Laguerre when m = 1.
struct DecayRule {
  std::vector<double> node, weight;
};

DecayRule makeDecayRule() {
  using Gauss = boost::math::quadrature::gauss<double, 10>;
  constexpr double kPanels[] = {0.0, 1.0, 2.5, 5.0, 9.0, 15.0, 23.0, 38.0};
  DecayRule rule;
  for (std::size_t i = 0; i + 1 < std::size(kPanels); ++i) {
    const double middle = 0.5 * (kPanels[i] + kPanels[i + 1]), half = 0.5 * (kPanels[i + 1] - kPanels[i]);
    for (std::size_t j = 0; j < Gauss::abscissa().size(); ++j) {
      for (const double sign : {-1.0, 1.0}) {
        const double u = middle + sign * half * Gauss::abscissa()[j];
        rule.node.push_back(u);
        rule.weight.push_back(half * Gauss::weights()[j] * std::exp(-u));
      }
    }
  }
  return rule;
}

/// What cutting the symbol off at pi takes from the kernel of exp(-b m): the integrals over theta > pi of
/// cos(m theta)/(theta^2 + b^2) and of theta sin(m theta)/(theta^2 + b^2), along theta = pi + i u/m, where
/// nothing oscillates, m >= 1.
struct CutOff {
  double even, odd;
};

CutOff cutOff(const DecayRule& rule, double b, int m) {
  const double c = kPi * kPi + b * b;
  CutOff sum{0.0, 0.0};
  for (std::size_t i = 0; i < rule.node.size(); ++i) {
    const double s = rule.node[i] / m;
    const double real = c - s * s, imaginary = 2.0 * kPi * s;
    const double scale = rule.weight[i] / (real * real + imaginary * imaginary);
    sum.even += scale * imaginary;
    sum.odd += scale * kPi * (c + s * s);
  }
  const double sign = (m % 2 == 0 ? 1.0 : -1.0) / m;
  return {sign * sum.even, sign * sum.odd};
}

}  // namespace

Eigen::VectorXd exponentialKernel(double a, double h, int points) {
  const DecayRule rule = makeDecayRule();
  const double b = a * h;
  Eigen::VectorXd kernel(2 * points - 1);
  kernel(points - 1) = 2.0 / kPi * std::atan(kPi / b);
  for (int m = 1; m < points; ++m) {
    const double value = std::exp(-b * m) - 2.0 * b / kPi * cutOff(rule, b, m).even;
    kernel(points - 1 + m) = kernel(points - 1 - m) = value;
  }
  return kernel;
}

Eigen::VectorXd oneSidedKernel(double a, double h, int points) {
  const DecayRule rule = makeDecayRule();
  const double b = a * h;
  Eigen::VectorXd kernel(2 * points - 1);
  kernel(points - 1) = std::atan(kPi / b) / kPi;
  for (int m = 1; m < points; ++m) {
    const CutOff cut = cutOff(rule, b, m);
    kernel(points - 1 + m) = std::exp(-b * m) - (b * cut.even + cut.odd) / kPi;
    kernel(points - 1 - m) = (-b * cut.even + cut.odd) / kPi;
  }
  return kernel;
}

Eigen::VectorXd slaterKernel(int k, double h, int points) { return exponentialKernel(k + 0.5, h, points); }

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
