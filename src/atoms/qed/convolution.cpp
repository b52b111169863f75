#include "atoms/qed/convolution.hpp"

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <utility>

#include "core/common/constants.hpp"
#include "core/common/index.hpp"
#include "core/linalg/decompositions.hpp"

namespace prophet::qed {
namespace {

constexpr int kNodes = 16;
constexpr double kPanelLength = 0.5;  ///< length of a panel in ln u
constexpr double kFirstLog = -30.0;   ///< ln u of the first panel: u = 9.4e-14
using constants::kPi;

/// Node i of a panel on [-1, 1].
double chebyshevNode(int i) { return std::cos(kPi * (i + 0.5) / kNodes); }

/// Turns every panel's values at the nodes into coefficients of Chebyshev polynomials.
void toCoefficients(std::vector<double>& table) {
  std::array<double, kNodes> values;
  for (std::size_t start = 0; start < table.size(); start += kNodes) {
    std::copy_n(table.begin() + static_cast<std::ptrdiff_t>(start), kNodes, values.begin());
    for (int k = 0; k < kNodes; ++k) {
      double sum = 0.0;
      for (int i = 0; i < kNodes; ++i) sum += values[i] * std::cos(kPi * k * (i + 0.5) / kNodes);
      table[start + k] = (k == 0 ? 1.0 : 2.0) / kNodes * sum;
    }
  }
}

}  // namespace

PointSource::PointSource(const std::function<double(double)>& g, double last) : firstLog_(kFirstLog) {
  panels_ = std::max(1, static_cast<int>(std::ceil((std::log(last) - firstLog_) / kPanelLength)));
  lastLog_ = firstLog_ + panels_ * kPanelLength;
  g_.resize(usize(panels_) * kNodes);
  for (int p = 0; p < panels_; ++p) {
    for (int i = 0; i < kNodes; ++i)
      g_[usize(p) * kNodes + i] = g(std::exp(firstLog_ + kPanelLength * (p + 0.5 + 0.5 * chebyshevNode(i))));
  }
  toCoefficients(g_);
  const double small = 0.25 * kPanelLength;
  start_ = (interpolate(g_, firstLog_ + small) - interpolate(g_, firstLog_)) / small;

  // Below the table G = a + b ln u, so H(u) = u (G(u) - b).
  using Gauss = boost::math::quadrature::gauss<double, 10>;
  hOverU_.resize(g_.size());
  double total = std::exp(firstLog_) * (interpolate(g_, firstLog_) - start_);
  for (int p = 0; p < panels_; ++p) {
    const double begin = firstLog_ + p * kPanelLength;
    const auto integrand = [&](double x) { return interpolate(g_, x) * std::exp(x); };
    for (int i = 0; i < kNodes; ++i) {
      const double x = begin + 0.5 * kPanelLength * (1.0 + chebyshevNode(i));
      hOverU_[usize(p) * kNodes + i] = (total + Gauss::integrate(integrand, begin, x)) * std::exp(-x);
    }
    total += Gauss::integrate(integrand, begin, begin + kPanelLength);
  }
  toCoefficients(hOverU_);
}

double PointSource::interpolate(const std::vector<double>& table, double logU) const {
  const int p = std::clamp(static_cast<int>((logU - firstLog_) / kPanelLength), 0, panels_ - 1);
  const double* c = table.data() + usize(p) * kNodes;
  const double x = 2.0 * ((logU - firstLog_) / kPanelLength - p) - 1.0;
  double b1 = 0.0, b2 = 0.0;  // Clenshaw's recurrence
  for (int k = kNodes - 1; k > 0; --k) {
    const double b0 = 2.0 * x * b1 - b2 + c[k];
    b2 = b1;
    b1 = b0;
  }
  return x * b1 - b2 + c[0];
}

double PointSource::value(double u) const {
  if (u <= 0.0) return 0.0;
  const double x = std::log(u);
  if (x < firstLog_) return interpolate(g_, firstLog_) + start_ * (x - firstLog_);
  return interpolate(g_, std::min(x, lastLog_));
}

double PointSource::integral(double s) const {
  if (s <= 0.0) return 0.0;
  const double x = std::log(s);
  if (x < firstLog_) return s * (value(s) - start_);
  if (x <= lastLog_) return s * interpolate(hOverU_, x);
  const double end = std::exp(lastLog_);
  return end * interpolate(hOverU_, lastLog_) + (s - end) * interpolate(g_, lastLog_);
}

namespace {

using constants::kPi;

/// Double-exponential rule on [0, 1], for the s ln s that H has where r' = r.
struct DoubleExponential {
  std::vector<double> node, weight;
  DoubleExponential() {
    constexpr double kStepInU = 1.0 / 8.0;
    for (int i = -26; i <= 26; ++i) {
      const double s = 0.5 * kPi * std::sinh(i * kStepInU), c = std::cosh(s);
      node.push_back(0.5 * std::exp(s) / c);
      weight.push_back(0.25 * kStepInU * kPi * std::cosh(i * kStepInU) / (c * c));
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

}  // namespace

double convolve(const ChargeDensity& density, const PointSource& source, double r) {
  return 2.0 * kPi / r * integrate(density.panels(), r, [&](double other) {
           return other * density(other) * difference(source, r, other);
         });
}

double convolveDerivative(const ChargeDensity& density, const PointSource& source, double r) {
  const double field = integrate(density.panels(), r, [&](double other) {
    const double inner = r > other ? -source.value(r - other) : source.value(other - r);
    return other * density(other) * (source.value(r + other) + inner);
  });
  return (2.0 * kPi * field - convolve(density, source, r)) / r;
}

namespace {

constexpr int kOuterNodes = 12;

/// A measure in y^2 by points and masses.
struct Masses {
  std::vector<double> square, mass;
};

/// Gauss rule of a discrete measure in y^2 by Stieltjes's recurrence and the eigenvalues of the Jacobi matrix
/// (W. Gautschi, Orthogonal Polynomials (2004), sections 2.2 and 3.1).
DistanceRule gaussRule(const Masses& masses) {
  const auto t = Eigen::Map<const Eigen::ArrayXd>(masses.square.data(), masses.square.size());
  const auto w = Eigen::Map<const Eigen::ArrayXd>(masses.mass.data(), masses.mass.size());
  Eigen::MatrixXd jacobi = Eigen::MatrixXd::Zero(kOuterNodes, kOuterNodes);
  Eigen::ArrayXd before = Eigen::ArrayXd::Zero(t.size()), p = Eigen::ArrayXd::Constant(t.size(), 1.0);
  p /= std::sqrt(w.sum());
  for (int k = 0; k < kOuterNodes; ++k) {
    jacobi(k, k) = (w * t * p * p).sum();
    Eigen::ArrayXd next = (t - jacobi(k, k)) * p;
    if (k > 0) next -= jacobi(k, k - 1) * before;
    const double norm = std::sqrt((w * next * next).sum());
    if (k + 1 < kOuterNodes) jacobi(k + 1, k) = jacobi(k, k + 1) = norm;
    before = std::exchange(p, next / norm);
  }
  const SymmetricEigen solver(jacobi);
  DistanceRule rule;
  for (int k = 0; k < kOuterNodes; ++k) {
    rule.node.push_back(std::sqrt(solver.eigenvalues()(k)));
    rule.weight.push_back(w.sum() * solver.eigenvectors()(0, k) * solver.eigenvectors()(0, k));
  }
  return rule;
}

double extentOf(const ChargeDensity& density) {
  const double last = density.panels().back();
  double extent = last;
  while (extent > 0.1 * last && density(0.98 * extent) < 1e-13 * density(0.0)) extent *= 0.98;
  return extent;
}

}  // namespace

OuterRules::OuterRules(const ChargeDensity& density) : extent(extentOf(density)) {
  using Gauss = boost::math::quadrature::gauss<double, 2 * kOuterNodes>;
  using Fine = boost::math::quadrature::gauss<double, 30>;
  // A shell of radius s acts like charge spread evenly over -s < y < s in G(r + y).
  Masses shells, spread;
  const std::vector<double>& panels = density.panels();
  for (std::size_t p = 0; p + 1 < panels.size(); ++p) {
    const double middle = 0.5 * (panels[p] + panels[p + 1]), half = 0.5 * (panels[p + 1] - panels[p]);
    for (std::size_t i = 0; i < 2 * Fine::abscissa().size(); ++i) {
      const double s = middle + (i % 2 == 0 ? half : -half) * Fine::abscissa()[i / 2];
      const double mass = 4.0 * kPi * s * s * density(s) * half * Fine::weights()[i / 2];
      shells.square.push_back(s * s);
      shells.mass.push_back(mass);
      for (std::size_t j = 0; j < 2 * Gauss::abscissa().size(); ++j) {
        const double y = 0.5 * s * (1.0 + (j % 2 == 0 ? 1.0 : -1.0) * Gauss::abscissa()[j / 2]);
        spread.square.push_back(y * y);
        spread.mass.push_back(0.25 * mass * Gauss::weights()[j / 2]);
      }
    }
  }
  potential = gaussRule(spread);
  field = gaussRule(shells);
}

AveragedPotential::AveragedPotential(const ChargeDensity& density, const OuterRules& rules,
                                     PointSource source)
    : density_(density), rules_(rules), source_(std::move(source)), least_(1e-3 * density.rms()) {
  atCentre_ = 4.0 * kPi * integrate(density.panels(), 0.0, [&](double other) {
                return other * density(other) * source_.value(other);
              });
  atLeast_ = convolve(density, source_, least_);
  slopeAtLeast_ = convolveDerivative(density, source_, least_);
}

double AveragedPotential::operator()(double r) const {
  if (r < least_) return atCentre_ + (atLeast_ - atCentre_) * (r / least_) * (r / least_);
  if (r < 2.0 * rules_.extent) return convolve(density_, source_, r);
  double sum = 0.0;
  for (std::size_t i = 0; i < rules_.potential.node.size(); ++i) {
    const double y = rules_.potential.node[i];
    sum += rules_.potential.weight[i] * (source_.value(r + y) + source_.value(r - y));
  }
  return sum / r;
}

double AveragedPotential::derivative(double r) const {
  if (r < least_) return slopeAtLeast_ * r / least_;
  if (r < 2.0 * rules_.extent) return convolveDerivative(density_, source_, r);
  double sum = 0.0;
  for (std::size_t i = 0; i < rules_.field.node.size(); ++i) {
    const double y = rules_.field.node[i];
    sum += rules_.field.weight[i] * (source_.value(r + y) - source_.value(r - y)) / (2.0 * y);
  }
  return (sum - (*this)(r)) / r;
}

}  // namespace prophet::qed
