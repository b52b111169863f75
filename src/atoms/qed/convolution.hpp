#pragma once
#include <functional>
#include <vector>

#include "atoms/atom/nuclear_charge.hpp"

namespace prophet::qed {

/// G(u) = u v(u), where v is the potential of a unit point charge, and its integral H(s) from 0 to s,
/// tabulated by Chebyshev interpolation on panels of ln u: evaluations cost some 100 ns at rounding accuracy
/// however dear G is. G may have a logarithm at u = 0 and must vanish, or be constant, beyond `last`.
class PointSource {
 public:
  /// `g`: G(u), u > 0 (bohr); `last`: where the table ends.
  PointSource(const std::function<double(double)>& g, double last);
  double value(double u) const;     ///< G(u)
  double integral(double s) const;  ///< H(s)

 private:
  double interpolate(const std::vector<double>& table, double logU) const;

  double firstLog_, lastLog_;
  int panels_;
  std::vector<double> g_, hOverU_;  ///< panels_ x kNodes each
  double start_ = 0.0;              ///< dG/d(ln u) at the first point
};

/// Spherical charge distribution of a finite nucleus, normalised to 1.
class ChargeDensity {
 public:
  /// Throws Error for a point.
  explicit ChargeDensity(const Nucleus& nucleus)
      : rms_(nucleus.rms), density_(chargeOf(nucleus.model).unitDensity(nucleus)) {}
  double operator()(double r) const { return r > panels().back() ? 0.0 : density_.value(r); }  ///< bohr^-3
  double rms() const { return rms_; }
  /// Radii (ascending, first 0) between which the density is smooth on the scale of the interval; it is
  /// negligible or zero beyond the last.
  const std::vector<double>& panels() const { return density_.panels; }

 private:
  double rms_;
  UnitDensity density_;
};

/// Potential at r of the density, each charge element acting with v(u) = G(u)/u:
///   V(r) = (2 pi/r) integral r' rho(r') [H(r + r') - H(|r - r'|)] dr'.
/// About 12 digits at every r > 0.
double convolve(const ChargeDensity& density, const PointSource& source, double r);

/// dV/dr of the same.
double convolveDerivative(const ChargeDensity& density, const PointSource& source, double r);

/// Nodes and weights in a distance from the nucleus's centre.
struct DistanceRule {
  std::vector<double> node, weight;
};

/// Gauss rules with which the point source's values alone make the potential outside a nucleus, to rounding
/// where r >= 2 extent:
///   V(r) = (1/r) sum_m weight_m [G(r + node_m) + G(r - node_m)]  with `potential`,
///   2 pi integral r' rho(r') [G(r + r') - G(r - r')] dr' =
///       sum_m weight_m [G(r + node_m) - G(r - node_m)]/(2 node_m)  with `field`.
struct OuterRules {
  explicit OuterRules(const ChargeDensity& density);
  double extent;  ///< beyond it the density has fallen by 1e-13
  DistanceRule potential, field;
};

/// The potential of a density and a point source: by the integrals above near the nucleus, by the outer rules
/// outside, and by V(0) + a r^2 below 1e-3 of the rms radius (there the derivative is 1e-6 accurate, the
/// potential 1e-12).
class AveragedPotential {
 public:
  /// `density` and `rules` must outlive this.
  AveragedPotential(const ChargeDensity& density, const OuterRules& rules, PointSource source);
  double operator()(double r) const;
  double derivative(double r) const;

 private:
  const ChargeDensity& density_;
  const OuterRules& rules_;
  PointSource source_;
  double least_, atCentre_, atLeast_, slopeAtLeast_;
};

}  // namespace prophet::qed
