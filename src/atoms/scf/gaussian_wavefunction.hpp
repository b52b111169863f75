#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "atoms/atom/wavefunction.hpp"
#include "atoms/scf/guess.hpp"

namespace prophet {

/// Radial functions of spinors expanded in Gaussians.
class GaussianWavefunction : public Wavefunction {
 public:
  explicit GaussianWavefunction(std::shared_ptr<const StartSpinors> spinors);

  int count() const override { return static_cast<int>(places_.size()); }
  RadialFunctions radial(int index, const Eigen::VectorXd& r) const override;
  std::vector<RadialFunctions> allRadial(const Eigen::VectorXd& r) const override;
  double largestRadius() const override;
  double smallestRadius() const override;

  /// Coefficients over the normalised primitives and the basis, without the choice of sign of `radial`.
  const StartSpinors& coefficients() const { return *spinors_; }
  /// Symmetry (an index of the basis) and column of each spinor, and the sign that makes P positive next to
  /// the nucleus.
  struct Place {
    int symmetry = 0, column = 0;
    double sign = 1;
  };
  const Place& place(int index) const;

 private:
  /// Functions of the columns from `first` on of a symmetry.
  std::vector<RadialFunctions> unsignedRadial(int symmetry, Eigen::Index first, Eigen::Index count,
                                              const Eigen::VectorXd& r) const;
  /// Radii beyond which all functions have underflowed are moved there, as their squares might overflow.
  Eigen::VectorXd withoutOverflow(const Eigen::VectorXd& r) const;
  double signOf(const Place& place) const;

  std::shared_ptr<const StartSpinors> spinors_;
  mutable std::vector<Place> places_;
  mutable std::once_flag signsKnown_;  ///< found when first asked for: they take longer than many an energy
};

}  // namespace prophet
