#include "qed/point_source.hpp"

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

namespace prophet::qed {
namespace {

constexpr int kNodes = 16;
constexpr double kPanel = 0.5;       ///< length of a panel in ln u
constexpr double kFirstLog = -37.0;  ///< ln u of the first panel: u = 8.5e-17
constexpr double kPi = 3.14159265358979323846;

struct Chebyshev {
  std::array<double, kNodes> node{}, weight{};  ///< on [-1, 1], with barycentric weights
  Chebyshev() {
    for (int i = 0; i < kNodes; ++i) {
      const double angle = kPi * (i + 0.5) / kNodes;
      node[i] = std::cos(angle);
      weight[i] = (i % 2 == 0 ? 1.0 : -1.0) * std::sin(angle);
    }
  }
};

const Chebyshev& chebyshev() {
  static const Chebyshev rule;
  return rule;
}

}  // namespace

PointSource::PointSource(const std::function<double(double)>& g, double last) : firstLog_(kFirstLog) {
  panels_ = std::max(1, static_cast<int>(std::ceil((std::log(last) - firstLog_) / kPanel)));
  lastLog_ = firstLog_ + panels_ * kPanel;
  g_.resize(static_cast<std::size_t>(panels_) * kNodes);
  for (int p = 0; p < panels_; ++p) {
    for (int i = 0; i < kNodes; ++i)
      g_[static_cast<std::size_t>(p) * kNodes + i] =
          g(std::exp(firstLog_ + kPanel * (p + 0.5 + 0.5 * chebyshev().node[i])));
  }
  const double small = 0.25 * kPanel;
  start_ = (interpolate(g_, firstLog_ + small) - interpolate(g_, firstLog_)) / small;

  // Below the table G = a + b ln u, so H(u) = u (G(u) - b).
  using Gauss = boost::math::quadrature::gauss<double, 10>;
  hOverU_.resize(g_.size());
  double total = std::exp(firstLog_) * (interpolate(g_, firstLog_) - start_);
  for (int p = 0; p < panels_; ++p) {
    const double begin = firstLog_ + p * kPanel;
    const auto integrand = [&](double x) { return interpolate(g_, x) * std::exp(x); };
    for (int i = 0; i < kNodes; ++i) {
      const double x = begin + 0.5 * kPanel * (1.0 + chebyshev().node[i]);
      hOverU_[static_cast<std::size_t>(p) * kNodes + i] =
          (total + Gauss::integrate(integrand, begin, x)) * std::exp(-x);
    }
    total += Gauss::integrate(integrand, begin, begin + kPanel);
  }
}

double PointSource::interpolate(const std::vector<double>& table, double logU) const {
  const int p = std::clamp(static_cast<int>((logU - firstLog_) / kPanel), 0, panels_ - 1);
  const double* values = table.data() + static_cast<std::size_t>(p) * kNodes;
  const double x = 2.0 * ((logU - firstLog_) / kPanel - p) - 1.0;
  double numerator = 0.0, denominator = 0.0;
  for (int i = 0; i < kNodes; ++i) {
    const double distance = x - chebyshev().node[i];
    if (distance == 0.0) return values[i];
    const double w = chebyshev().weight[i] / distance;
    numerator += w * values[i];
    denominator += w;
  }
  return numerator / denominator;
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

}  // namespace prophet::qed
