#pragma once
#include <Eigen/Core>
#include <memory>
#include <vector>

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

}  // namespace prophet
