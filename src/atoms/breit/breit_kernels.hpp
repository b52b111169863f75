#pragma once
#include <memory>
#include <vector>

#include "atoms/angular/breit_terms.hpp"
#include "atoms/atom/symmetry.hpp"
#include "atoms/fock/cross_kernels.hpp"

namespace prophet {

/// Radial kernel of electrons 1 and 2 of rank L (Slater kernel) or, for rank1 != rank2, of the gauge term's
/// theta(r1 < r2) [r1^(J-1)/r2^J - r1^(J+1)/r2^(J+2)] (rank1 = J - 1; exchanged for rank1 = J + 1), for
/// functions scaled by r^(1/4); entry m + points - 1, m = index of r2 - index of r1.
Eigen::VectorXd breitRadialKernel(const BreitTerm& term, double h, int points);

/// Merged kernels of all pairs of symmetries: one sum over J, L1, L2 for each block.
std::shared_ptr<const CrossKernels> breitKernels(const std::vector<Symmetry>& symmetries, double h,
                                                 int points, BreitPart part);

/// Kernels of both parts and of their sum, from one calculation of the angular factors.
struct BreitKernelSet {
  std::shared_ptr<const CrossKernels> gaunt, gauge, breit;
};
BreitKernelSet breitKernelSet(const std::vector<Symmetry>& symmetries, double h, int points);

}  // namespace prophet
