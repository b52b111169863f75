#pragma once
#include <Eigen/Core>

namespace prophet {

/// P and Q of one spinor at given radii, bohr^-1/2.
struct RadialFunctions {
  Eigen::VectorXd large, small;
};

/// Radial functions of an atom's occupied spinors at any radius, whatever they are expanded in.
///
/// psi = (1/r) [P(r) chi_kappa; i Q(r) chi_-kappa], normalised to integral (P^2 + Q^2) dr = 1, P > 0 next to
/// the nucleus; orthonormal within each symmetry. The spinors are numbered as in Result::spinors.
class Wavefunction {
 public:
  virtual ~Wavefunction() = default;

  virtual int count() const = 0;
  /// P and Q of spinor `index` at radii r >= 0 (bohr, any order). Throws Error for an index out of range or a
  /// negative radius.
  virtual RadialFunctions radial(int index, const Eigen::VectorXd& r) const = 0;
  /// Beyond it, bohr, all functions are zero or below 1e-16 of their largest value.
  virtual double largestRadius() const = 0;
  /// Where, bohr, all of them have become powers of r: an innermost point for grids in ln r.
  virtual double smallestRadius() const = 0;
};

/// Throws Error for an index that names none of `count` spinors, or for a radius that is negative or no
/// number.
void requireSpinorAndRadii(int index, int count, const Eigen::VectorXd& r);

}  // namespace prophet
