#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/wavefunction.hpp"
#include "atoms/limit/mean_field.hpp"
#include "atoms/limit/radial_basis.hpp"

namespace prophet {

/// Radial functions of the occupied spinors of a numerical limit. Zero beyond the end of the mesh; below the
/// first mesh point they follow the power of r that the nucleus gives them.
class LimitWavefunction : public Wavefunction {
 public:
  /// P sqrt(r) and Q sqrt(r) of one spinor over the splines of ln r.
  struct Spinor {
    Eigen::VectorXd large, small;           ///< coefficients over all splines
    double largePower = 0, smallPower = 0;  ///< of r, near the nucleus
  };

  /// \param spinors of all symmetries, in `basis`; numbered through as in LimitResult::spinors
  /// \param speedOfLight infinite: non-relativistic, where Q vanishes
  LimitWavefunction(const limit::RadialBasis& basis, const limit::SpinorSet& spinors, const Nucleus& nucleus,
                    double speedOfLight);
  /// From its parts; as many coefficients as splines. Throws Error where they are not.
  LimitWavefunction(limit::SplineSpace largeSpace, limit::SplineSpace smallSpace,
                    std::vector<Spinor> spinors);

  int count() const override { return static_cast<int>(spinors_.size()); }
  RadialFunctions radial(int index, const Eigen::VectorXd& r) const override;
  double largestRadius() const override;
  double smallestRadius() const override;
  /// Zeros of P within the spinor's extent: n - l - 1 for the states of a hydrogen-like atom. Zeros in the
  /// tail, where exchange and Lagrange multipliers may put some at amplitudes below 25 % of the largest, do
  /// not count.
  int nodes(int index) const;

  const limit::SplineSpace& largeSpace() const { return largeSpace_; }
  const limit::SplineSpace& smallSpace() const { return smallSpace_; }
  const std::vector<Spinor>& spinors() const { return spinors_; }

 private:
  Eigen::VectorXd largeAt(const Spinor& spinor, const Eigen::VectorXd& r) const;
  double value(const limit::SplineSpace& space, const Eigen::VectorXd& coefficients, double power,
               double r) const;

  limit::SplineSpace largeSpace_, smallSpace_;
  std::vector<Spinor> spinors_;
};

}  // namespace prophet
