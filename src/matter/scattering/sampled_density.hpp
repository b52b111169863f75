#pragma once
#include <vector>

#include "atoms/atom/wavefunction.hpp"
#include "matter/scattering/radial_density.hpp"

namespace prophet {

/// The density of spinors of any kind, known by its values: Fourier transforms by Gauss-Legendre quadrature
/// over panels that grow with r and hold no more than a fraction of an oscillation of the largest q. Accurate
/// to about 1e-13 of the number of electrons where the functions are smooth (Gaussians).
class SampledDensity : public RadialDensity {
 public:
  /// \param wavefunction is referred to, not copied
  /// \param electrons of each spinor, numbered as in `wavefunction`
  SampledDensity(const Wavefunction& wavefunction, const std::vector<double>& electrons);

  Eigen::VectorXd formFactor(const Eigen::VectorXd& q) const override;
  Eigen::VectorXd deficit(const Eigen::VectorXd& q) const override;

 private:
  /// Radii and D(r) times their weights.
  struct Samples {
    Eigen::ArrayXd r, electrons;
  };
  Samples samplesFor(const Eigen::VectorXd& q) const;

  const Wavefunction& wavefunction_;
  std::vector<double> electrons_;
};

}  // namespace prophet
