#pragma once
#include <memory>
#include <vector>

#include "atom/symmetry.hpp"
#include "fock/cross_kernels.hpp"

namespace prophet {

/// Parts of the frequency-independent Breit interaction: the magnetic (Gaunt) term -alpha1.alpha2/r12, the
/// gauge (retardation) term [alpha1.alpha2 - (alpha1.r12)(alpha2.r12)/r12^2]/(2 r12), and their sum.
enum class BreitPart { Gaunt, Gauge, Breit };

/// Angular factors of one radial kernel of the interaction, products of reduced matrix elements with the sign
/// and the degeneracies of the exchange matrices (physics: section 10); rankJ is the tensor rank, the
/// orbitals' ranks at electrons 1 and 2 are L1 and L2 = J - 1, J or J + 1.
struct BreitTerm {
  int rankJ = 0, rank1 = 0, rank2 = 0;
  double coefficient = 0;  ///< of the radial kernel, from the table of section 10
  double largeFromSmall = 0, smallFromLarge = 0, mixed = 0;
};

/// All terms between two symmetries whose radial coefficient is not zero.
std::vector<BreitTerm> breitTerms(Symmetry a, Symmetry b, BreitPart part);

/// Radial kernel of electrons 1 and 2 of rank L (Slater kernel) or, for rank1 != rank2, of the gauge term's
/// theta(r1 < r2) [r1^(J-1)/r2^J - r1^(J+1)/r2^(J+2)] (rank1 = J - 1; exchanged for rank1 = J + 1), for
/// functions scaled by r^(1/4); entry m + points - 1, m = index of r2 - index of r1.
Eigen::VectorXd breitRadialKernel(const BreitTerm& term, double h, int points);

/// Merged kernels of all pairs of symmetries: one sum over J, L1, L2 for each block.
std::shared_ptr<const CrossKernels> breitKernels(const std::vector<Symmetry>& symmetries, double h,
                                                 int points, BreitPart part);

}  // namespace prophet
