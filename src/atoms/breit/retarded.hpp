#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/breit/breit.hpp"

namespace prophet {

/// Spherical Bessel functions without their leading powers, minus 1, at full relative accuracy for small x:
///   j_L(x) = x^L/(2L+1)!! [1 + besselJ(L, x)],  y_L(x) = -(2L-1)!!/x^(L+1) [1 + besselY(L, x)].
double reducedBesselJ(int order, double x);
double reducedBesselY(int order, double x);

/// 1/2 + Si(pi m)/pi, m = 0 .. points-1: weight of sample j in the integral over ln r up to point i of a
/// function on a uniform grid, m = i - j; the weight of -m is 1 minus that. Source: S. Haber, Math. Comp. 60,
/// 279 (1993).
Eigen::VectorXd indefiniteIntegrationWeights(int points);

/// Radial functions of one frequency omega (1/bohr) on a grid, and double integrals with the kernels that
/// replace those of the static interaction (docs/theory/breit-qed.md):
///   g_L = -(2L+1) omega j_L(omega r<) y_L(omega r>), tending to r<^L/r>^(L+1) as omega -> 0.
class RetardedKernels {
 public:
  /// `radii`: exponential grid; `weights`: indefiniteIntegrationWeights of its size; both must outlive this.
  RetardedKernels(const Eigen::VectorXd& radii, const Eigen::MatrixXd& weights, double omega);

  /// Double integral of f(1) g_L g(2); f and g are samples times r_i h.
  double slater(int order, const Eigen::VectorXd& f, const Eigen::VectorXd& g) const;

  /// The same with the gauge kernel of ranks J-1 at electron 1 and J+1 at electron 2, divided by sqrt(J(J+1)
  /// (2J-1)(2J+3))/(2J+1) / 2, which tends to theta(r1<r2) [r1^(J-1)/r2^J - r1^(J+1)/r2^(J+2)].
  double gauge(int rankJ, const Eigen::VectorXd& f, const Eigen::VectorXd& g) const;

 private:
  const Eigen::VectorXd& radii_;
  const Eigen::MatrixXd& weights_;  ///< (i, j): theta(r_j < r_i)
  double omega_;
  /// reducedBesselJ and Y on the grid, by order; made when first needed.
  mutable std::vector<Eigen::ArrayXd> besselJ_, besselY_;
  const Eigen::ArrayXd& besselJ(int order) const;
  const Eigen::ArrayXd& besselY(int order) const;
};

/// Breit energy in the Coulomb gauge with the photon's frequency |e_a - e_b|/c in every exchange integral, of
/// the spinors of `scf` (their energies are used), in the average of configuration: the first-order
/// correction that takes the place of breitEnergy if retardation is wanted. `c`: speed of light. Source of
/// the operator: I. P. Grant and N. C. Pyper, J. Phys. B 9, 761 (1976).
BreitEnergy retardedBreitEnergy(const BasisSet& basis, const RadialGrid& grid,
                                const Configuration& configuration, const ScfResult& scf, double c,
                                ThreadPool& pool);

}  // namespace prophet
