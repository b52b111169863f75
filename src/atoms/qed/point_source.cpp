#include "atoms/qed/point_source.hpp"

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "core/common/math_constants.hpp"

namespace prophet::qed {
namespace {

constexpr int kNodes = 16;
constexpr double kPanel = 0.5;       ///< length of a panel in ln u
constexpr double kFirstLog = -30.0;  ///< ln u of the first panel: u = 9.4e-14
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
  panels_ = std::max(1, static_cast<int>(std::ceil((std::log(last) - firstLog_) / kPanel)));
  lastLog_ = firstLog_ + panels_ * kPanel;
  g_.resize(static_cast<std::size_t>(panels_) * kNodes);
  for (int p = 0; p < panels_; ++p) {
    for (int i = 0; i < kNodes; ++i)
      g_[static_cast<std::size_t>(p) * kNodes + i] =
          g(std::exp(firstLog_ + kPanel * (p + 0.5 + 0.5 * chebyshevNode(i))));
  }
  toCoefficients(g_);
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
      const double x = begin + 0.5 * kPanel * (1.0 + chebyshevNode(i));
      hOverU_[static_cast<std::size_t>(p) * kNodes + i] =
          (total + Gauss::integrate(integrand, begin, x)) * std::exp(-x);
    }
    total += Gauss::integrate(integrand, begin, begin + kPanel);
  }
  toCoefficients(hOverU_);
}

double PointSource::interpolate(const std::vector<double>& table, double logU) const {
  const int p = std::clamp(static_cast<int>((logU - firstLog_) / kPanel), 0, panels_ - 1);
  const double* c = table.data() + static_cast<std::size_t>(p) * kNodes;
  const double x = 2.0 * ((logU - firstLog_) / kPanel - p) - 1.0;
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

}  // namespace prophet::qed
