#include "atoms/properties/density.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kAtNucleus = 1e-100;  // bohr; squares of smaller radii lose digits and then vanish

std::vector<double> occupationsOf(const Result& result) {
  std::vector<double> list;
  for (const Spinor& s : result.spinors) list.push_back(s.occupation);
  return list;
}

}  // namespace

Density::Density(const Result& result) : Density(result.wavefunction, occupationsOf(result)) {}

Density::Density(std::shared_ptr<const Wavefunction> wavefunction, std::vector<double> occupations)
    : wavefunction_(std::move(wavefunction)), occupations_(std::move(occupations)) {
  if (!wavefunction_)
    throw Error(
        "the result has no radial functions and therefore no density; let the calculation converge and keep "
        "its spinors");
  if (static_cast<int>(occupations_.size()) != wavefunction_->count())
    throw Error("a density needs the occupation of every spinor");
}

Density::Parts Density::radialParts(const Eigen::VectorXd& r) const {
  Parts parts{Eigen::VectorXd::Zero(r.size()), Eigen::VectorXd::Zero(r.size())};
  for (int i = 0; i < wavefunction_->count(); ++i) {
    if (occupations_[i] == 0) continue;
    const RadialFunctions f = wavefunction_->radial(i, r);
    parts.large += occupations_[i] * f.large.cwiseAbs2();
    parts.small += occupations_[i] * f.small.cwiseAbs2();
  }
  return parts;
}

Eigen::VectorXd Density::radial(const Eigen::VectorXd& r) const {
  const Parts parts = radialParts(r);
  return parts.large + parts.small;
}

// Powers of r are left below smallestRadius: P^2 and Q^2 of s and p1/2 begin with r^2 unless a point nucleus
// makes them singular, and the limit is reached there.
double Density::atNucleus() const {
  const double inside = 1e-2 * wavefunction_->smallestRadius();
  Eigen::VectorXd r(2);
  r << inside, inside / 1000;
  const Eigen::VectorXd rho = at(r);
  return rho[1] > rho[0] * (1 + 1e-6) ? std::numeric_limits<double>::infinity() : rho[1];
}

Eigen::VectorXd Density::at(const Eigen::VectorXd& r) const {
  Eigen::VectorXd rho = radial(r);
  for (Eigen::Index i = 0; i < r.size(); ++i) {
    rho[i] = r[i] > kAtNucleus ? rho[i] / (4 * constants::kPi * r[i] * r[i]) : atNucleus();
  }
  return rho;
}

double Density::electrons() const { return std::accumulate(occupations_.begin(), occupations_.end(), 0.0); }

namespace {

constexpr double kFirstRadius = 1e-6;  // bohr
constexpr int kRadii = 500, kMostRadii = 10000000;

}  // namespace

Eigen::VectorXd logarithmicRadii(double start, double stop, int count) {
  if (!(start > 0) || !(stop > start) || !std::isfinite(stop))
    throw Error("a grid of radii needs 0 < START < STOP, in bohr");
  if (count < 2 || count > kMostRadii) throw Error("a grid of radii has 2 to 10000000 points");
  const double step = (std::log(stop) - std::log(start)) / (count - 1);
  Eigen::VectorXd r = start * (step * Eigen::ArrayXd::LinSpaced(count, 0, count - 1)).exp();
  r[count - 1] = stop;
  return r;
}

Eigen::VectorXd defaultRadii(const Wavefunction& wavefunction) {
  return logarithmicRadii(kFirstRadius, wavefunction.largestRadius(), kRadii);
}

}  // namespace prophet
