#pragma once
#include <Eigen/Core>
#include <vector>

#include "atom/nucleus.hpp"
#include "limit/bspline.hpp"
#include "limit/mean_field.hpp"
#include "limit/radial_basis.hpp"

namespace prophet {

/// Radial functions of the occupied spinors of a numerical limit, at any radius.
///
/// psi = (1/r) [P(r) chi_kappa; i Q(r) chi_-kappa], normalised to integral (P^2 + Q^2) dr = 1, P > 0 next to
/// the nucleus. Orthonormal within each symmetry. Zero beyond largestRadius(); below the first mesh point
/// they follow the power of r that the nucleus gives them.
class LimitWavefunction {
 public:
  struct Radial {
    Eigen::VectorXd large, small;  ///< P and Q, bohr^-1/2
  };

  /// \param spinors of all symmetries, in `basis`; numbered through as in LimitResult::spinors
  LimitWavefunction(const limit::RadialBasis& basis, const limit::SpinorSet& spinors, const Nucleus& nucleus,
                    double speedOfLight);

  int count() const { return static_cast<int>(spinors_.size()); }
  /// P and Q of spinor `index` (order of LimitResult::spinors) at radii r >= 0 (bohr, any order). Throws
  /// Error for an index out of range or a negative radius.
  Radial radial(int index, const Eigen::VectorXd& r) const;
  /// End of the mesh, bohr.
  double largestRadius() const;
  /// Zeros of P within the spinor's extent: n - l - 1 for the states of a hydrogen-like atom. Zeros in the
  /// tail, where exchange and Lagrange multipliers may put some at amplitudes below 25 % of the largest, do
  /// not count.
  int nodes(int index) const;

 private:
  struct Spinor {
    Eigen::VectorXd large, small;           ///< coefficients over all splines
    double largePower = 0, smallPower = 0;  ///< of r, near the nucleus
  };
  double value(const limit::SplineSpace& space, const Eigen::VectorXd& coefficients, double power,
               double r) const;

  limit::SplineSpace largeSpace_, smallSpace_;
  std::vector<Spinor> spinors_;
};

}  // namespace prophet
