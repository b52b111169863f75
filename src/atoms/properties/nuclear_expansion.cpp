#include "atoms/properties/nuclear_expansion.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "core/common/math_constants.hpp"

namespace prophet {
namespace {

constexpr int kSteps = 1500;           // an even number
constexpr double kExtent = 9;          // times the rms radius: charge beyond is below 1e-12
constexpr double kInside = 1 - 1e-12;  // the surface of a sphere belongs to it

/// The radial equations without the powers of r that P and c Q begin with:
/// kappa = -1: P = r u, c Q = r^2 v; kappa = 1: P = r^2 u, c Q = r v. `w`: potential minus energy.
Eigen::Array2d slope(int kappa, double r, double w, double slowness, const Eigen::Array2d& y) {
  if (r == 0) return {0, 0};
  const double mass = 2 - w * slowness;
  if (kappa < 0) return {mass * r * y[1], (w * y[0] - 3 * y[1]) / r};
  return {(mass * y[1] - 3 * y[0]) / r, w * r * y[0]};
}

}  // namespace

double centreOverMean(const Nucleus& nucleus, Symmetry symmetry, double shift, double slowness) {
  if (std::abs(symmetry.kappa) != 1) return 0;
  const bool sphere = nucleus.model == NuclearModel::Sphere;
  const double end = sphere ? nucleus.sphereRadius : kExtent * nucleus.rms, step = end / kSteps;
  const auto w = [&](double r) { return nucleus.potential(std::max(r, 1e-6 * step)) + shift; };
  const auto next = [&](double r, double from, double half, double to, const Eigen::Array2d& y) {
    const int kappa = symmetry.kappa;
    const Eigen::Array2d a = slope(kappa, r, from, slowness, y);
    const Eigen::Array2d b = slope(kappa, r + step / 2, half, slowness, y + step / 2 * a);
    const Eigen::Array2d c = slope(kappa, r + step / 2, half, slowness, y + step / 2 * b);
    const Eigen::Array2d d = slope(kappa, r + step, to, slowness, y + step * c);
    return Eigen::Array2d(y + step / 6 * (a + 2 * b + 2 * c + d));
  };
  const auto density = [&](double r, const Eigen::Array2d& y) {
    return symmetry.kappa < 0 ? y[0] * y[0] + slowness * r * r * y[1] * y[1]
                              : r * r * y[0] * y[0] + slowness * y[1] * y[1];
  };
  double here = w(0), integral = 0;
  Eigen::Array2d y =
      symmetry.kappa < 0 ? Eigen::Array2d(1, here / 3) : Eigen::Array2d((2 - here * slowness) / 3, 1);
  const double centre = density(0, y);
  for (int i = 0; i < kSteps; ++i) {  // Runge and Kutta's steps, Simpson's weights
    const double r = i * step, there = w(r + step), reached = r + step;
    y = next(r, here, w(r + step / 2), there, y);
    here = there;
    const double weight = i + 1 == kSteps ? 1 : i % 2 == 0 ? 4 : 2;
    integral += weight * reached * reached * nucleus.chargeDensity(kInside * reached) * density(reached, y);
  }
  integral *= 4 * constants::kPi * step / 3 / nucleus.charge;
  return centre / integral;
}

}  // namespace prophet
