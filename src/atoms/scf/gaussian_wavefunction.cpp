#include "atoms/scf/gaussian_wavefunction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "atoms/integrals/primitives.hpp"

namespace prophet {
namespace {

// What of P sqrt(r), whose square integrates to 1 in ln r, lies below may be noise of the expansion.
constexpr double kVisible = 1e-6;
constexpr double kRadiusStep = 1.25;  // from radius to radius on the way outwards

double extremeExponent(const BasisSet& basis, bool smallest) {
  double found = smallest ? std::numeric_limits<double>::infinity() : 0.0;
  for (const SymmetryBasis& s : basis.symmetries) {
    for (const double zeta : s.exponents) found = smallest ? std::min(found, zeta) : std::max(found, zeta);
  }
  return found;
}

}  // namespace

GaussianWavefunction::GaussianWavefunction(std::shared_ptr<const StartSpinors> spinors)
    : spinors_(std::move(spinors)) {
  for (int a = 0; a < static_cast<int>(spinors_->large.size()); ++a) {
    for (int i = 0; i < spinors_->large[a].cols(); ++i) places_.push_back({a, i, 1.0});
  }
}

const GaussianWavefunction::Place& GaussianWavefunction::place(int index) const {
  std::call_once(signsKnown_, [this] {
    for (Place& place : places_) place.sign = signOf(place);
  });
  return places_[index];
}

double GaussianWavefunction::largestRadius() const {
  return std::sqrt(45.0 / extremeExponent(spinors_->basis, true));  // exp(-45) r^k < 1e-16 of the maximum
}

double GaussianWavefunction::smallestRadius() const {
  return 1e-4 / std::sqrt(extremeExponent(spinors_->basis, false));  // exp(-1e-8): powers to rounding
}

double GaussianWavefunction::signOf(const Place& place) const {
  Eigen::VectorXd r(1);
  for (r(0) = smallestRadius(); r(0) < largestRadius(); r(0) *= kRadiusStep) {
    const double amplitude =
        unsignedRadial(place.symmetry, place.column, 1, r).front().large(0) * std::sqrt(r(0));
    if (std::abs(amplitude) > kVisible) return amplitude < 0 ? -1.0 : 1.0;
  }
  return 1.0;
}

std::vector<RadialFunctions> GaussianWavefunction::unsignedRadial(int symmetry, Eigen::Index first,
                                                                  Eigen::Index count,
                                                                  const Eigen::VectorXd& r) const {
  const SymmetryBasis& basis = spinors_->basis.symmetries[symmetry];
  const Eigen::MatrixXd &large = spinors_->large[symmetry], &small = spinors_->small[symmetry];
  const Eigen::ArrayXd square = r.array().square(), power = r.array().pow(basis.symmetry.l());
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(r.size());
  std::vector<RadialFunctions> list(static_cast<std::size_t>(count), {zero, zero});
  for (int p = 0; p < basis.size(); ++p) {
    const Primitive g = makePrimitive(basis.symmetry, basis.exponents[p]);
    const Eigen::ArrayXd common = power * (-g.zeta * square).exp();
    for (Eigen::Index i = 0; i < count; ++i) {
      RadialFunctions& f = list[static_cast<std::size_t>(i)];
      f.large.array() += large(p, first + i) * g.norm * common * r.array();
      f.small.array() += small(p, first + i) * common * (g.small0 + g.small2 * square);
    }
  }
  return list;
}

Eigen::VectorXd GaussianWavefunction::withoutOverflow(const Eigen::VectorXd& r) const {
  constexpr double kUnderflow = 800.0;
  return r.cwiseMin(std::sqrt(kUnderflow / extremeExponent(spinors_->basis, true)));
}

RadialFunctions GaussianWavefunction::radial(int index, const Eigen::VectorXd& r) const {
  requireSpinorAndRadii(index, count(), r);
  const Place& own = place(index);
  RadialFunctions f = unsignedRadial(own.symmetry, own.column, 1, withoutOverflow(r)).front();
  f.large *= own.sign;
  f.small *= own.sign;
  return f;
}

std::vector<RadialFunctions> GaussianWavefunction::allRadial(const Eigen::VectorXd& r) const {
  std::vector<RadialFunctions> all;
  if (count() == 0) return all;
  requireSpinorAndRadii(0, count(), r);
  const Eigen::VectorXd radii = withoutOverflow(r);
  for (int a = 0; a < static_cast<int>(spinors_->large.size()); ++a)
    for (RadialFunctions& f : unsignedRadial(a, 0, spinors_->large[a].cols(), radii)) {
      const double sign = place(static_cast<int>(all.size())).sign;
      f.large *= sign;
      f.small *= sign;
      all.push_back(std::move(f));
    }
  return all;
}

}  // namespace prophet
