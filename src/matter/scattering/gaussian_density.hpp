#pragma once
#include <vector>

#include "atoms/scf/gaussian_wavefunction.hpp"
#include "matter/scattering/radial_density.hpp"

namespace prophet {

/// The density of spinors expanded in Gaussians, with its Fourier transform in closed form.
///
/// D(r) is a sum of r^(2m+2) exp(-zeta r^2), one zeta for each pair of primitives, whose transforms are
/// integral exp(-x) p_m(x) with x = q^2/(4 zeta) and p_m the Laguerre polynomial L_m^(1/2), scaled to
/// p_m(0) = 1. Pairs of equal zeta are gathered, whatever their symmetry.
class GaussianDensity : public RadialDensity {
 public:
  /// \param electrons of each spinor, numbered as in `wavefunction`
  GaussianDensity(const GaussianWavefunction& wavefunction, const std::vector<double>& electrons);

  Eigen::VectorXd formFactor(const Eigen::VectorXd& q) const override;
  Eigen::VectorXd deficit(const Eigen::VectorXd& q) const override;
  /// Different exponents: what a value of f costs.
  int terms() const { return static_cast<int>(zetas_.size()); }

 private:
  void addSymmetry(const SymmetryBasis& basis, const Eigen::MatrixXd& large, const Eigen::MatrixXd& small);
  void gather();

  std::vector<double> zetas_;  ///< bohr^-2, ascending
  Eigen::MatrixXd electrons_;  ///< (m, term): what the term holds of f(0); most are large and cancel
};

}  // namespace prophet
