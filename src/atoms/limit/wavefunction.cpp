#include "atoms/limit/wavefunction.hpp"

#include <cmath>

#include "atoms/atom/wavefunction.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kLeastLobe = 1e-3;  // of the largest amplitude: smaller lobes are no oscillations
constexpr double kExtent = 0.25;     // the spinor ends where its amplitude falls below this for good
constexpr int kSamplesInCell = 8;    // for counting nodes

}  // namespace

LimitWavefunction::LimitWavefunction(const limit::RadialBasis& basis, const limit::SpinorSet& spinors,
                                     const Nucleus& nucleus, double speedOfLight)
    : largeSpace_(basis.largeSpace), smallSpace_(basis.smallSpace) {
  for (int a = 0; a < static_cast<int>(spinors.coefficients.size()); ++a) {
    const Symmetry s = Symmetry::fromIndex(a);
    const LeadingPowers powers = leadingPowers(nucleus, s, speedOfLight, basis.smallBlocks() > 1);
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
}

LimitWavefunction::LimitWavefunction(limit::SplineSpace largeSpace, limit::SplineSpace smallSpace,
                                     std::vector<Spinor> spinors)
    : largeSpace_(std::move(largeSpace)), smallSpace_(std::move(smallSpace)), spinors_(std::move(spinors)) {
  for (const Spinor& s : spinors_) {
    if (s.large.size() != largeSpace_.size() || s.small.size() != smallSpace_.size())
      throw Error("a spinor of a numerical limit does not have a coefficient for each spline");
  }
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
  return {largeAt(s, r),
          r.unaryExpr([&](double radius) { return value(smallSpace_, s.small, s.smallPower, radius); })};
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
