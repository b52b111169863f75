#include "limit/wavefunction.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "atom/leading_powers.hpp"
#include "common/error.hpp"
#include "limit/mesh.hpp"

namespace prophet {
namespace {

constexpr double kLeastLobe = 1e-3;  // of the largest amplitude: smaller lobes are no oscillations
constexpr double kExtent = 0.25;     // the spinor ends where its amplitude falls below this for good
constexpr int kSamplesInCell = 8;    // for counting nodes
// Of the fit inside the nucleus, radii times the rms radius: within these the splines have five digits and
// more, and the polynomial is exact to eight.
constexpr double kFitFrom = 0.3, kFitTo = 1.2;
constexpr int kFitPoints = 40, kFitDegree = 4;

}  // namespace

LimitWavefunction::LimitWavefunction(const limit::RadialBasis& basis, const limit::SpinorSet& spinors,
                                     const Nucleus& nucleus, double speedOfLight)
    : largeSpace_(basis.largeSpace), smallSpace_(basis.smallSpace) {
  for (int a = 0; a < static_cast<int>(spinors.coefficients.size()); ++a) {
    const Symmetry s = Symmetry::fromIndex(a);
    const LeadingPowers powers = leadingPowers(nucleus, s, speedOfLight);
    const int count = basis.largeCount(s);
    for (int i = 0; i < spinors.coefficients[a].cols(); ++i) {
      const Eigen::VectorXd c = spinors.coefficients[a].col(i);
      Spinor spinor{Eigen::VectorXd::Zero(largeSpace_.size()), Eigen::VectorXd::Zero(smallSpace_.size()),
                    powers.large, powers.small};
      if (basis.hasSmall()) spinor.small = c.tail(basis.smallCount());
      spinor.large.segment(basis.firstLarge(s), count) = c.head(count);
      const Eigen::VectorXd values = basis.large * spinor.large;
      const double visible = 1e-3 * kLeastLobe * values.cwiseAbs().maxCoeff();
      int lobe = 0;  // the first point of a visible amplitude
      while (std::abs(values[lobe]) < visible) ++lobe;
      if (values[lobe] < 0) {
        spinor.large = -spinor.large;
        spinor.small = -spinor.small;
      }
      spinors_.push_back(std::move(spinor));
    }
  }
  fitInside();
}

LimitWavefunction::LimitWavefunction(limit::SplineSpace largeSpace, limit::SplineSpace smallSpace,
                                     std::vector<Spinor> spinors)
    : largeSpace_(std::move(largeSpace)), smallSpace_(std::move(smallSpace)), spinors_(std::move(spinors)) {
  for (const Spinor& s : spinors_) {
    if (s.large.size() != largeSpace_.size() || s.small.size() != smallSpace_.size())
      throw Error("a spinor of a numerical limit does not have a coefficient for each spline");
  }
  fitInside();
}

// Powers are whole numbers exactly where the nucleus has a size.
void LimitWavefunction::fitInside() {
  const bool sized = std::all_of(spinors_.begin(), spinors_.end(),
                                 [](const Spinor& s) { return s.largePower == std::round(s.largePower); });
  if (!sized) return;
  rms_ = smallestRadius() / limit::kInsideNucleus;
  for (const Spinor& s : spinors_) {
    const bool reaches = std::min(s.largePower, s.smallPower) == 1;  // has a density at r = 0
    largeInside_.push_back(reaches ? insideOf(largeSpace_, s.large, s.largePower) : Inside());
    smallInside_.push_back(reaches ? insideOf(smallSpace_, s.small, s.smallPower) : Inside());
  }
}

// Splines have the same absolute accuracy of P sqrt(r) everywhere.
LimitWavefunction::Inside LimitWavefunction::insideOf(const limit::SplineSpace& space,
                                                      const Eigen::VectorXd& coefficients,
                                                      double power) const {
  Eigen::MatrixXd powers(kFitPoints, kFitDegree + 1);
  Eigen::VectorXd values(kFitPoints);
  for (int i = 0; i < kFitPoints; ++i) {
    const double u = kFitFrom + (kFitTo - kFitFrom) * i / (kFitPoints - 1);
    values[i] = value(space, coefficients, power, u * rms_) * std::sqrt(u);
    for (int m = 0; m <= kFitDegree; ++m) powers(i, m) = std::pow(u, power + 0.5 + 2 * m);
  }
  return powers.colPivHouseholderQr().solve(values);
}

double LimitWavefunction::valueInside(const Inside& inside, const limit::SplineSpace& space,
                                      const Eigen::VectorXd& coefficients, double power, double r) const {
  const double u = r / rms_;
  if (inside.size() == 0 || u >= kFitFrom) return value(space, coefficients, power, r);
  double sum = 0;
  for (int m = kFitDegree; m >= 0; --m) sum = sum * u * u + inside[m];
  return sum * std::pow(u, power);
}

double LimitWavefunction::largestRadius() const { return std::exp(largeSpace_.breaks().back()); }
double LimitWavefunction::smallestRadius() const { return std::exp(largeSpace_.breaks().front()); }

// P = p/sqrt(r) with p a spline in ln r.
double LimitWavefunction::value(const limit::SplineSpace& space, const Eigen::VectorXd& coefficients,
                                double power, double r) const {
  const double innermost = std::exp(space.breaks().front());
  if (r < innermost) {
    const double there = coefficients[0] / std::sqrt(innermost);  // the first spline is 1 at the inner end
    return there * std::pow(r / innermost, power);
  }
  if (r > largestRadius()) return 0;
  const double x = std::log(r);
  const int cell = space.cellOf(x);
  Eigen::VectorXd values(space.order()), slopes(space.order());
  space.evaluate(cell, x, values.data(), slopes.data());
  return values.dot(coefficients.segment(space.firstSpline(cell), space.order())) / std::sqrt(r);
}

Eigen::VectorXd LimitWavefunction::largeAt(const Spinor& s, const Eigen::VectorXd& r) const {
  return r.unaryExpr([&](double radius) { return value(largeSpace_, s.large, s.largePower, radius); });
}

RadialFunctions LimitWavefunction::radial(int index, const Eigen::VectorXd& r) const {
  requireSpinorAndRadii(index, count(), r);
  const Spinor& s = spinors_[index];
  static const Inside kNone;
  const auto inside = [&](const std::vector<Inside>& list) -> const Inside& {
    return list.empty() ? kNone : list[static_cast<std::size_t>(index)];
  };
  const Inside &large = inside(largeInside_), &small = inside(smallInside_);
  return {r.unaryExpr([&](double x) { return valueInside(large, largeSpace_, s.large, s.largePower, x); }),
          r.unaryExpr([&](double x) { return valueInside(small, smallSpace_, s.small, s.smallPower, x); })};
}

int LimitWavefunction::nodes(int index) const {
  const std::vector<double>& breaks = largeSpace_.breaks();
  Eigen::VectorXd r((breaks.size() - 1) * kSamplesInCell);
  for (int i = 0; i < r.size(); ++i) {
    const int cell = i / kSamplesInCell;
    const double share = (i % kSamplesInCell + 0.5) / kSamplesInCell;
    r[i] = std::exp(breaks[cell] + share * (breaks[cell + 1] - breaks[cell]));
  }
  const Eigen::VectorXd large = largeAt(spinors_[index], r);
  const double largest = large.cwiseAbs().maxCoeff();
  int end = static_cast<int>(r.size());
  while (end > 0 && std::abs(large[end - 1]) < kExtent * largest) --end;
  int nodes = 0;
  double sign = 0;
  for (int i = 0; i < end; ++i) {
    if (std::abs(large[i]) < kLeastLobe * largest) continue;
    if (large[i] * sign < 0) ++nodes;
    sign = large[i];
  }
  return nodes;
}

}  // namespace prophet
