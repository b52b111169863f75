#include "matter/scattering/sampled_density.hpp"

#include <algorithm>
#include <cmath>

#include "atoms/limit/radial_basis.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr int kPoints = 20;       // in each panel
constexpr double kGrowth = 1.25;  // of radii from panel to panel
constexpr double kPhase = 6.0;    // radians of the fastest oscillation in a panel
constexpr int kMostPanels = 100000;

/// Ends of the panels.
std::vector<double> panels(double first, double last, double largestQ) {
  std::vector<double> ends{0.0, first};
  while (ends.back() < last) {
    if (ends.size() > kMostPanels)
      throw Error("a momentum transfer is too large to be integrated numerically; leave it out");
    const double r = ends.back(), step = (kGrowth - 1) * r;
    ends.push_back(std::min(last, r + (largestQ > 0 ? std::min(step, kPhase / largestQ) : step)));
  }
  return ends;
}

/// (1 - sin(x)/x)/x^2.
double sineDeficit(double x) {
  if (x > 0.5) return (1 - std::sin(x) / x) / (x * x);
  const double square = x * x;
  double term = 1.0 / 6, sum = term;
  for (int k = 2; std::abs(term) > 1e-17; ++k) {
    term *= -square / ((2 * k) * (2 * k + 1));
    sum += term;
  }
  return sum;
}

}  // namespace

SampledDensity::SampledDensity(const Wavefunction& wavefunction, const std::vector<double>& electrons)
    : wavefunction_(wavefunction), electrons_(electrons) {}

SampledDensity::Samples SampledDensity::samplesFor(const Eigen::VectorXd& q) const {
  const limit::GaussRule rule = limit::gaussLegendre(kPoints);
  const std::vector<double> ends = panels(wavefunction_.smallestRadius(), wavefunction_.largestRadius(),
                                          q.size() > 0 ? q.maxCoeff() : 0.0);
  const auto count = static_cast<Eigen::Index>(ends.size()) - 1;
  Eigen::VectorXd r(count * kPoints);
  Samples samples{{}, Eigen::ArrayXd::Zero(r.size())};
  Eigen::ArrayXd weights(r.size());
  for (Eigen::Index i = 0; i < count; ++i) {
    const double half = 0.5 * (ends[i + 1] - ends[i]);
    r.segment(i * kPoints, kPoints) = (half * rule.nodes).array() + (ends[i] + half);
    weights.segment(i * kPoints, kPoints) = half * rule.weights.array();
  }
  for (int i = 0; i < wavefunction_.count(); ++i) {
    if (electrons_.at(i) == 0) continue;
    const RadialFunctions f = wavefunction_.radial(i, r);
    samples.electrons += electrons_[i] * (f.large.array().square() + f.small.array().square()) * weights;
  }
  samples.r = r;
  return samples;
}

Eigen::VectorXd SampledDensity::formFactor(const Eigen::VectorXd& q) const {
  const Samples s = samplesFor(q);
  return q.unaryExpr([&](double momentum) {
    if (momentum == 0) return s.electrons.sum();
    const Eigen::ArrayXd x = momentum * s.r;
    return (s.electrons * (x < 1e-150).select(1.0, x.sin() / x)).sum();
  });
}

Eigen::VectorXd SampledDensity::deficit(const Eigen::VectorXd& q) const {
  const Samples s = samplesFor(q);
  return q.unaryExpr([&](double momentum) {
    return (s.electrons * s.r.square() * (momentum * s.r).unaryExpr(&sineDeficit)).sum();
  });
}

}  // namespace prophet
