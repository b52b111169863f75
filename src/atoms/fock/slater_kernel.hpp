#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/symmetry.hpp"

namespace prophet {

/// Discrete kernels on the grid x_i = ln r_i = x_1 + i h: convolutions sum_j K(i - j) G_j of band-limited
/// samples. K is the inverse Fourier transform of the exact symbol cut off at the grid's highest frequency
/// pi/h, so that products F_i K(i - j) G_j summed over i and j give the double integral up to the trapezoidal
/// rule's own error, exp(-pi^2/(2h)) (sinc convolution; F. Stenger, Numerical Methods Based on Sinc and
/// Analytic Functions (1993), chapter 4). No entry grows with |m|: rounding errors stay at the scale of F and
/// G however far apart their centres are. Results have 2 points - 1 entries, entry m + points - 1 for m =
/// -(points-1) .. points-1.

/// Kernel of exp(-a |x|), a > 0; even in m.
Eigen::VectorXd exponentialKernel(double a, double h, int points);

/// Kernel of exp(-a x) for x > 0 and 0 for x < 0 (half of it at 0), a > 0.
Eigen::VectorXd oneSidedKernel(double a, double h, int points);

/// Slater kernel r<^k / r>^(k+1) for functions scaled by r^(1/4) each (docs/theory.md, "Two-electron
/// integrals"):
/// sqrt(r_1 r_2) r<^k / r>^(k+1) = exp(-(k + 1/2) |x_1 - x_2|). Independent of the atom and of the basis.
Eigen::VectorXd slaterKernel(int k, double h, int points);

/// Exchange kernels sum_k Lambda_k (kernel k) of all pairs of symmetries. Pairs with equal 2j, 2j' and parity
/// of l + l' share one.
class ExchangeKernels {
 public:
  ExchangeKernels(const std::vector<Symmetry>& symmetries, double h, int points);
  /// Centre (m = 0) of the kernel between symmetries a and b: valid from -(points-1) to points-1.
  const double* centre(int a, int b) const { return kernels_[which_[a * count_ + b]].data() + points_ - 1; }
  /// Centre of the Coulomb kernel k = 0.
  const double* coulomb() const { return coulomb_.data() + points_ - 1; }

 private:
  int count_, points_;
  std::vector<Eigen::VectorXd> kernels_;
  std::vector<int> which_;
  Eigen::VectorXd coulomb_;
};

}  // namespace prophet
