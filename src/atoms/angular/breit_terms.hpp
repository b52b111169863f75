#pragma once
#include <vector>

#include "atoms/atom/symmetry.hpp"

namespace prophet {

/// Parts of the frequency-independent Breit interaction: the magnetic (Gaunt) term -alpha1.alpha2/r12, the
/// gauge (retardation) term [alpha1.alpha2 - (alpha1.r12)(alpha2.r12)/r12^2]/(2 r12), and their sum.
enum class BreitPart { Gaunt, Gauge, Breit };

/// Angular factors of one radial kernel of the interaction, products of reduced matrix elements with the sign
/// and the degeneracies of the exchange matrices (docs/theory.md, "Angular factors of the Breit
/// interaction"); rankJ is the tensor rank, rank1 and rank2 are the orbital ranks L1 and L2 = J - 1, J or J +
/// 1 at electrons 1 and 2.
struct BreitTerm {
  int rankJ = 0, rank1 = 0, rank2 = 0;
  double coefficient = 0;  ///< of the radial kernel, from the table there
  double largeFromSmall = 0, smallFromLarge = 0, mixed = 0;
};

/// The same for both parts at once.
struct SplitBreitTerm {
  int rankJ = 0, rank1 = 0, rank2 = 0;
  double gaunt = 0, gauge = 0;  ///< coefficients of the radial kernel
  double largeFromSmall = 0, smallFromLarge = 0, mixed = 0;
};

/// All terms between two symmetries with a non-zero coefficient and a non-zero angular factor.
std::vector<SplitBreitTerm> splitBreitTerms(Symmetry a, Symmetry b);

/// All terms between two symmetries whose radial coefficient is not zero.
std::vector<BreitTerm> breitTerms(Symmetry a, Symmetry b, BreitPart part);

}  // namespace prophet
