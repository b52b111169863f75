#pragma once
#include <Eigen/Core>
#include <memory>
#include <vector>

#include "atoms/atom/wavefunction.hpp"
#include "atoms/calculation/result.hpp"

namespace prophet {

/// Spherical density of an atom's electrons (all of them, with the occupations of an average of
/// configurations): rho(r) = sum_i n_i (P_i^2 + Q_i^2)/(4 pi r^2).
class Density {
 public:
  /// Throws Error if the result has no wavefunction.
  explicit Density(const Result& result);
  /// `occupations`: one for each spinor. Throws Error if there are more or fewer.
  Density(std::shared_ptr<const Wavefunction> wavefunction, std::vector<double> occupations);

  /// rho at radii r >= 0 (bohr, any order), electrons/bohr^3. At r = 0 the limit, infinite for the singular
  /// functions of a point nucleus.
  Eigen::VectorXd at(const Eigen::VectorXd& r) const;
  /// Radial density 4 pi r^2 rho, electrons/bohr; its integral over r is the number of electrons.
  Eigen::VectorXd radial(const Eigen::VectorXd& r) const;
  /// The parts of `radial` that the large and the small components make.
  struct Parts {
    Eigen::VectorXd large, small;
  };
  Parts radialParts(const Eigen::VectorXd& r) const;
  /// The number of electrons.
  double electrons() const;

 private:
  double atNucleus() const;

  std::shared_ptr<const Wavefunction> wavefunction_;
  std::vector<double> occupations_;
};

/// `count` radii from `start` to `stop` (bohr, both included) with a constant ratio. Throws Error unless
/// 0 < start < stop, both finite, and 2 <= count <= 10^7.
Eigen::VectorXd logarithmicRadii(double start, double stop, int count);

/// Where radial functions are written unless the user says otherwise: 500 radii from 1e-6 bohr, which lies
/// inside every nucleus, to where the functions have vanished. The trapezoidal rule in ln r integrates them
/// on it to about 1e-9.
Eigen::VectorXd defaultRadii(const Wavefunction& wavefunction);

}  // namespace prophet
