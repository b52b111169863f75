#pragma once
#include <vector>

#include "atoms/basis/basis_set.hpp"

namespace prophet {

/// Parameters of one well-tempered group, in the order of the input file: alpha, beta, delta, gamma.
struct WellTemperedParameters {
  double alpha = 0, beta = 0, delta = 0, gamma = 0;
};

/// Whether each symmetry's ladder ends at its own last index (M = start + nbs - 1) or at the largest of its
/// group.
enum class LadderPool { Symmetry, Shared };

/// A well-tempered basis as a user describes it; vectors have one entry for each symmetry (s+, p-, ...).
struct WellTemperedSpec {
  std::vector<WellTemperedParameters> groups;
  std::vector<int> functions;  ///< nbs
  std::vector<int> start;      ///< first index in the ladder, from 1
  std::vector<int> group;      ///< group number, from 1
  LadderPool pool = LadderPool::Symmetry;
};

/// Exponents k = start .. start+count-1 of a ladder of length M:
/// zeta_1 = alpha, zeta_k = zeta_(k-1) beta [1 + gamma (k/M)^delta]. Source: Huzinaga & Klobukowski,
/// Chem. Phys. Lett. 120, 509 (1985), as a recursion (docs/theory/dirac-hartree-fock.md).
std::vector<double> wellTemperedExponents(const WellTemperedParameters& p, int start, int count,
                                          int ladderLength);

/// Throws Error for inconsistent counts or parameters out of range. The description says M where it matters.
BasisSet makeWellTempered(const WellTemperedSpec& spec);

}  // namespace prophet
