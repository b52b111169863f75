#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/symmetry.hpp"

namespace prophet {

/// Powers of r that the radial functions P and Q of a spinor start with at the nucleus.
struct LeadingPowers {
  double large, small;
};

/// Those of a field that is finite at r = 0, which Gaussian functions have too: l + 1 and lSmall + 1.
LeadingPowers analyticPowers(Symmetry symmetry);

/// Those of an exact solution: the same for a nucleus of finite size, gamma = sqrt(kappa^2 - (Z/c)^2) of both
/// for a point. A point of Z >= |kappa| c has no such solution: gamma is 0 then. Where Q vanishes, both are
/// the power of P: l + 1 without relativity (`speedOfLight` infinite), and scalar-relativistic (`scalar`) l +
/// 1 or, at a point, sqrt(l(l + 1) + 1 - (Z/c)^2) (D. D. Koelling, B. N. Harmon, J. Phys. C 10, 3107 (1977)).
LeadingPowers leadingPowers(const Nucleus& nucleus, Symmetry symmetry, double speedOfLight,
                            bool scalar = false);

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
  /// The same of all spinors at once, which may share what they are made of.
  virtual std::vector<RadialFunctions> allRadial(const Eigen::VectorXd& r) const;
  /// Beyond it, bohr, all functions are zero or below 1e-16 of their largest value.
  virtual double largestRadius() const = 0;
  /// Where, bohr, all of them have become powers of r: an innermost point for grids in ln r.
  virtual double smallestRadius() const = 0;
};

/// Throws Error for an index that names none of `count` spinors, or for a radius that is negative or no
/// number.
void requireSpinorAndRadii(int index, int count, const Eigen::VectorXd& r);

}  // namespace prophet
