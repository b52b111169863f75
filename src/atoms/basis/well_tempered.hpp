#pragma once
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/nucleus.hpp"
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

/// A large even-tempered set with one ladder (first exponent 0.004 bohr^-2, ratio `beta`) for every element
/// and every occupied symmetry. The ranges are a formula in the charge, generous at both ends. With beta
/// = 1.7 and the Gaussian nucleus all neutral atoms H-Og come out less than 1e-9 (relative) above their
/// limit, with
/// 1.6 less than 1e-10; docs/engineering/basis-searches.md.
WellTemperedSpec universalSpec(const Nucleus& nucleus, const Configuration& configuration, double beta);

/// A large well-tempered set with one pool of exponents for all symmetries (the first 0.004 bohr^-2, `beta`,
/// delta 5, gamma 1) over the same ranges; both symmetries of an l have the same functions.
WellTemperedSpec sharedLadderSpec(const Nucleus& nucleus, const Configuration& configuration, double beta);

/// `spec` without what comes after the last symmetry that has electrons, and without groups that no symmetry
/// uses then. Throws Error if it does not reach that symmetry.
WellTemperedSpec occupiedPart(const WellTemperedSpec& spec, const Configuration& configuration);

}  // namespace prophet
