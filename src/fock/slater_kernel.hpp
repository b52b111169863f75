#pragma once
#include <Eigen/Core>
#include <vector>

#include "atom/symmetry.hpp"

namespace prophet {

/// 1/2 + Si(pi m)/pi for m = -(points-1) .. points-1, entry m + points - 1: the weight of sample j in the
/// integral up to point i of a function that is sampled on a uniform grid, m = i - j. Every entry has full
/// relative accuracy. Source: S. Haber, "Two formulas for numerical indefinite integration", Math. Comp. 60,
/// 279 (1993).
Eigen::VectorXd sincIntegrationWeights(int points);

/// Slater kernel r<^k / r>^(k+1) on the grid r_i = r_1 exp(i h), for functions scaled by r^(1/4) each so that
/// the kernel depends on m = i - j alone (physics: section 8):
///   sqrt(r_i r_j) U^k_ij = s_m e^(-(k+1/2) h m) + s_-m e^((k+1/2) h m).
/// Even in m; entry m + points - 1 of the result, m = -(points-1) .. points-1. Free of the atom and of the
/// basis.
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
