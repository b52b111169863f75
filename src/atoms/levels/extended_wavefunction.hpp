#pragma once
#include <memory>
#include <vector>

#include "atoms/atom/wavefunction.hpp"

namespace prophet {

/// Spinors made of those of another wavefunction and of Gaussians of large and small component.
///
/// The Gaussians of each symmetry are those of one ladder, l = 0 as given and others scaled to the same mean
/// square radius; the small ones are in restricted kinetic balance with the large ones, but have coefficients
/// of their own.
class ExtendedWavefunction : public Wavefunction {
 public:
  struct Function {
    Symmetry symmetry;
    Eigen::VectorXd occupied;      ///< coefficients over the other wavefunction's spinors
    Eigen::VectorXd large, small;  ///< over the ladder; empty: none
  };

  /// `ladder`: exponents, bohr^-2, for l = 0.
  ExtendedWavefunction(std::shared_ptr<const Wavefunction> occupied, std::vector<double> ladder,
                       std::vector<Function> functions);

  int count() const override { return static_cast<int>(functions_.size()); }
  RadialFunctions radial(int index, const Eigen::VectorXd& r) const override;
  std::vector<RadialFunctions> allRadial(const Eigen::VectorXd& r) const override;
  double largestRadius() const override;
  double smallestRadius() const override { return occupied_->smallestRadius(); }
  const Wavefunction& occupied() const { return *occupied_; }

 private:
  std::vector<double> ladderOf(Symmetry symmetry) const;

  std::shared_ptr<const Wavefunction> occupied_;
  std::vector<double> ladder_;
  std::vector<Function> functions_;
};

}  // namespace prophet
