#include "qed/convolution.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "atom/fermi.hpp"
#include "common/error.hpp"

namespace prophet::qed {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// Double-exponential rule on [0, 1], for the s ln s that H has where r' = r.
struct DoubleExponential {
  std::vector<double> node, weight;
  DoubleExponential() {
    constexpr double kStep = 1.0 / 12.0;
    for (int i = -40; i <= 40; ++i) {
      const double s = 0.5 * kPi * std::sinh(i * kStep), c = std::cosh(s);
      node.push_back(0.5 * std::exp(s) / c);
      weight.push_back(0.25 * kStep * kPi * std::cosh(i * kStep) / (c * c));
    }
  }
};

/// integral over r' of f(r') over the density's panels, cut at r: double-exponential near r, else
/// Gauss-Legendre.
template <class Function>
double integrate(const std::vector<double>& panels, double r, const Function& f) {
  static const DoubleExponential rule;
  using Gauss = boost::math::quadrature::gauss<double, 20>;
  std::vector<double> cuts = panels;
  const auto place = std::upper_bound(cuts.begin(), cuts.end(), r);
  const auto near = place - cuts.begin();  // r is, or becomes, this cut
  if (place != cuts.end()) cuts.insert(place, r);
  const bool outside = r > 1.5 * cuts.back();
  double sum = 0.0;
  for (std::ptrdiff_t p = 0; p + 1 < static_cast<std::ptrdiff_t>(cuts.size()); ++p) {
    if (outside || p < near - 2 || p > near + 1) {
      sum += Gauss::integrate(f, cuts[p], cuts[p + 1]);
      continue;
    }
    const double length = cuts[p + 1] - cuts[p];
    double part = 0.0;
    for (std::size_t i = 0; i < rule.node.size(); ++i)
      part += rule.weight[i] * f(cuts[p] + length * rule.node[i]);
    sum += length * part;
  }
  return sum;
}

/// H(r + r') - H(|r - r'|); by quadrature of G where the interval is narrow.
double difference(const PointSource& source, double r, double other) {
  const double small = std::min(r, other), large = std::max(r, other);
  if (small > 0.1 * large) return source.integral(large + small) - source.integral(large - small);
  using Gauss = boost::math::quadrature::gauss<double, 10>;
  // The interval's length must not come from a difference of its nearly equal ends.
  return small * Gauss::integrate([&](double x) { return source.value(large + small * x); }, -1.0, 1.0);
}

std::vector<double> densityPanels(const Nucleus& nucleus) {
  switch (nucleus.model) {
    case NuclearModel::Sphere:
      return {0.0, nucleus.sphereRadius};
    case NuclearModel::Gaussian: {
      const double unit = 1.0 / std::sqrt(nucleus.exponent);
      return {0.0, unit, 2.5 * unit, 6.3 * unit};
    }
    case NuclearModel::Fermi: {
      std::vector<double> panels{0.0};
      for (const double k : {-8.0, -3.0, 0.0, 3.0, 8.0, 16.0, 40.0}) {
        const double r = nucleus.fermiC + k * nucleus.fermiA;
        if (r > 0.0) panels.push_back(r);
      }
      return panels;
    }
    case NuclearModel::Point:
      break;
  }
  throw Error("a point nucleus has no charge density; use a finite nuclear model");
}

}  // namespace

ChargeDensity::ChargeDensity(const Nucleus& nucleus) : nucleus_(nucleus), panels_(densityPanels(nucleus)) {
  if (nucleus.model == NuclearModel::Sphere) {
    norm_ = 3.0 / (4.0 * kPi * std::pow(nucleus.sphereRadius, 3));
  } else if (nucleus.model == NuclearModel::Gaussian) {
    norm_ = std::pow(nucleus.exponent / kPi, 1.5);
  } else {
    norm_ =
        1.0 / (4.0 * kPi * std::pow(nucleus.fermiA, 3) * fermi::moment(2, nucleus.fermiC / nucleus.fermiA));
  }
}

double ChargeDensity::operator()(double r) const {
  if (r > panels_.back()) return 0.0;
  if (nucleus_.model == NuclearModel::Sphere) return norm_;
  if (nucleus_.model == NuclearModel::Gaussian) return norm_ * std::exp(-nucleus_.exponent * r * r);
  return norm_ / (1.0 + std::exp((r - nucleus_.fermiC) / nucleus_.fermiA));
}

double convolve(const ChargeDensity& density, const PointSource& source, double r) {
  return 2.0 * kPi / r * integrate(density.panels(), r, [&](double other) {
           return other * density(other) * difference(source, r, other);
         });
}

double convolveDerivative(const ChargeDensity& density, const PointSource& source, double r) {
  const double least = 1e-3 * density.rms();
  if (r < least) return convolveDerivative(density, source, least) * r / least;
  const double field = integrate(density.panels(), r, [&](double other) {
    const double inner = r > other ? -source.value(r - other) : source.value(other - r);
    return other * density(other) * (source.value(r + other) + inner);
  });
  return (2.0 * kPi * field - convolve(density, source, r)) / r;
}

}  // namespace prophet::qed
