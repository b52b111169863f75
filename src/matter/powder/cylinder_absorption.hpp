#pragma once
#include <Eigen/Core>

namespace prophet {

/// The largest mu R for which the factor below is right to 1e-4.
inline constexpr double kLargestAbsorption = 5;

/// The absorption factor of a cylinder in the beam, as a powder in a capillary: the mean of exp(-mu (path in
/// + path out)) over its cross section, with both paths perpendicular to the axis (International Tables for
/// Crystallography C, 6.3.3). An integral in polar coordinates, whose logarithm is interpolated by Chebyshev
/// polynomials of cos 2theta.
class CylinderAbsorption {
 public:
  /// `muR`: linear coefficient of absorption times the radius. Throws Error for one that is not from 0 to
  /// kLargestAbsorption.
  explicit CylinderAbsorption(double muR);
  /// The factor, from 0 to 1.
  double at(double cosineOfTwoTheta) const;

 private:
  Eigen::VectorXd coefficients_;
};

}  // namespace prophet
