#pragma once
#include <vector>

#include "atom/nucleus.hpp"
#include "qed/point_source.hpp"

namespace prophet::qed {

/// Spherical charge distribution of a finite nucleus, normalised to 1.
class ChargeDensity {
 public:
  /// Sphere, Gaussian or Fermi nucleus. Throws Error for a point.
  explicit ChargeDensity(const Nucleus& nucleus);
  double operator()(double r) const;  ///< bohr^-3
  double rms() const { return nucleus_.rms; }
  /// Radii (ascending, first 0) between which the density is smooth on the scale of the interval; it is
  /// negligible or zero beyond the last.
  const std::vector<double>& panels() const { return panels_; }

 private:
  Nucleus nucleus_;
  double norm_ = 0.0;
  std::vector<double> panels_;
};

/// Potential at r of the density, each charge element acting with v(u) = G(u)/u:
///   V(r) = (2 pi/r) integral r' rho(r') [H(r + r') - H(|r - r'|)] dr'.
/// About 12 digits at every r > 0.
double convolve(const ChargeDensity& density, const PointSource& source, double r);

/// dV/dr of the same. Linear in r below 1e-3 of the rms radius, where it is 1e-6 accurate.
double convolveDerivative(const ChargeDensity& density, const PointSource& source, double r);

}  // namespace prophet::qed
