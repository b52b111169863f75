#pragma once
#include <Eigen/Core>

namespace prophet {

/// A spherical density of electrons, D(r) = 4 pi r^2 rho(r), as X-rays see it. Atomic units; momentum
/// transfers may be any finite numbers that are not negative, in any order.
class RadialDensity {
 public:
  virtual ~RadialDensity() = default;

  /// f(q) = integral D(r) sin(qr)/(qr) dr, electrons; f(0) is their number. q in 1/bohr.
  virtual Eigen::VectorXd formFactor(const Eigen::VectorXd& q) const = 0;
  /// (f(0) - f(q))/q^2, bohr^2, without the cancellation at small q; <r^2>/6 at 0. q in 1/bohr.
  virtual Eigen::VectorXd deficit(const Eigen::VectorXd& q) const = 0;
};

}  // namespace prophet
