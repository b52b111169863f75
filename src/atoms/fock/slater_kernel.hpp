#pragma once
#include <Eigen/Core>
#include <memory>
#include <vector>

#include "atoms/atom/symmetry.hpp"

namespace prophet {

/// Exchange kernels of an interaction that swaps large and small components (Breit): with densities
/// D^XY_ij = sum_b q_b X_b(r_i) Y_b(r_j) of the symmetries b,
///   W_a^LL = sum_b largeFromSmall(a,b) o D_b^SS,  W_a^SS = sum_b smallFromLarge(a,b) o D_b^LL,
///   W_a^LS = sum_b mixed(a,b) o D_b^SL,           K_a = Phi_a^T W_a Phi_a,
/// the Fock matrix takes -K. Kernels depend on m = j - i alone (functions scaled by r^(1/4)) and have entry m
/// at m + points - 1; the first two are even in m.
struct CrossKernels {
  int symmetries = 0, points = 0;
  std::vector<Eigen::VectorXd> largeFromSmall, smallFromLarge, mixed;  ///< [a * symmetries + b]

  const double* centre(const std::vector<Eigen::VectorXd>& kernels, int a, int b) const {
    return kernels[static_cast<std::size_t>(a) * symmetries + b].data() + points - 1;
  }
};

/// The same for a grid of more points: zeros beyond the entries that there are.
std::shared_ptr<const CrossKernels> extended(const CrossKernels& kernels, int points);

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

/// Slater kernel r<^k / r>^(k+1) for functions scaled by r^(1/4) each (docs/theory/dirac-hartree-fock.md,
/// "Two-electron integrals"): sqrt(r_1 r_2) r<^k / r>^(k+1) = exp(-(k + 1/2) |x_1 - x_2|). Independent of the
/// atom and of the basis.
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
