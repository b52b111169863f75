#include "limit/wavefunction.hpp"

#include <cmath>
#include <string>

#include "common/error.hpp"

namespace prophet {
namespace {

constexpr double kLeastLobe = 1e-3;  // of the largest amplitude: smaller lobes are no oscillations
constexpr double kExtent = 0.25;     // the spinor ends where its amplitude falls below this for good
constexpr int kSamplesInCell = 8;    // for counting nodes

struct Powers {
  double large, small;
};

// A finite potential at r = 0 makes P ~ r^(l + 1), Q ~ r^(lSmall + 1); a point nucleus both ~ r^gamma.
Powers powersAtNucleus(const Nucleus& nucleus, Symmetry s, double c) {
  if (nucleus.model != NuclearModel::Point) return {s.l() + 1.0, s.lSmall() + 1.0};
  const double coupling = nucleus.charge / c, gamma = std::sqrt(s.kappa * s.kappa - coupling * coupling);
  return {gamma, gamma};
}

}  // namespace

LimitWavefunction::LimitWavefunction(const limit::RadialBasis& basis, const limit::SpinorSet& spinors,
                                     const Nucleus& nucleus, double speedOfLight)
    : largeSpace_(basis.largeSpace), smallSpace_(basis.smallSpace) {
  for (int a = 0; a < static_cast<int>(spinors.coefficients.size()); ++a) {
    const Symmetry s = Symmetry::fromIndex(a);
    const Powers powers = powersAtNucleus(nucleus, s, speedOfLight);
    const int count = basis.largeCount(s);
    for (int i = 0; i < spinors.coefficients[a].cols(); ++i) {
      const Eigen::VectorXd c = spinors.coefficients[a].col(i);
      Spinor spinor{Eigen::VectorXd::Zero(largeSpace_.size()), c.tail(basis.smallCount()), powers.large,
                    powers.small};
      spinor.large.segment(basis.firstLarge(s), count) = c.head(count);
      const Eigen::VectorXd values = basis.large * spinor.large;
      int lobe = 0;  // the first point of a visible amplitude
      while (std::abs(values[lobe]) < 1e-3 * kLeastLobe * values.cwiseAbs().maxCoeff()) ++lobe;
      if (values[lobe] < 0) {
        spinor.large = -spinor.large;
        spinor.small = -spinor.small;
      }
      spinors_.push_back(std::move(spinor));
    }
  }
}

double LimitWavefunction::largestRadius() const { return std::exp(largeSpace_.breaks().back()); }

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

LimitWavefunction::Radial LimitWavefunction::radial(int index, const Eigen::VectorXd& r) const {
  if (index < 0 || index >= count())
    throw Error("there is no spinor " + std::to_string(index) + "; the limit has " + std::to_string(count()));
  if (r.size() > 0 && !(r.minCoeff() >= 0)) throw Error("radii of radial functions must not be negative");
  const Spinor& s = spinors_[index];
  Radial result{Eigen::VectorXd(r.size()), Eigen::VectorXd(r.size())};
  for (int i = 0; i < r.size(); ++i) {
    result.large[i] = value(largeSpace_, s.large, s.largePower, r[i]);
    result.small[i] = value(smallSpace_, s.small, s.smallPower, r[i]);
  }
  return result;
}

int LimitWavefunction::nodes(int index) const {
  const std::vector<double>& breaks = largeSpace_.breaks();
  Eigen::VectorXd r((breaks.size() - 1) * kSamplesInCell);
  for (int i = 0; i < r.size(); ++i) {
    const int cell = i / kSamplesInCell;
    const double share = (i % kSamplesInCell + 0.5) / kSamplesInCell;
    r[i] = std::exp(breaks[cell] + share * (breaks[cell + 1] - breaks[cell]));
  }
  const Eigen::VectorXd large = radial(index, r).large;
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
