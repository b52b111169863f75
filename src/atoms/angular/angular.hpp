#pragma once
#include <vector>

#include "atoms/atom/symmetry.hpp"

namespace prophet {

/// Wigner 3j symbol (j1 j2 j3; m1 m2 m3), every argument given as twice its value. Zero if a selection
/// rule fails. Racah's formula in extended precision: relative error below 1e-14 for j up to 20. Source:
/// Varshalovich et al., Quantum Theory of Angular Momentum (1988), section 8.2.
double wigner3j(int twoJ1, int twoJ2, int twoJ3, int twoM1, int twoM2, int twoM3);

/// Wigner 6j symbol {j1 j2 j3; j4 j5 j6}, every argument given as twice its value. Zero if a triangle fails.
/// Racah's formula in extended precision. Source: the same, section 9.2.
double wigner6j(int twoJ1, int twoJ2, int twoJ3, int twoJ4, int twoJ5, int twoJ6);

/// (-1)^power.
inline double minusOneTo(int power) { return power % 2 == 0 ? 1 : -1; }

/// One multipole of the Coulomb exchange between two symmetries.
struct ExchangeTerm {
  int k = 0;
  double coefficient = 0;  ///< Lambda_k = 3j(j k j'; 1/2 0 -1/2)^2
};

/// All multipoles k with l + l' + k even and a non-zero Lambda_k, ascending in k. Symmetric in a and b.
/// Source: I. P. Grant, Relativistic Quantum Theory of Atoms and Molecules (2007), average of configuration.
std::vector<ExchangeTerm> exchangeTerms(Symmetry a, Symmetry b);

/// Reduced matrix element <kappa||[C^L x sigma]^J||kappa'> between spherical spinors (their orbital parts are
/// the l() of each argument; pass Symmetry{-kappa} for the angular part of a small component), in the
/// convention
///   <kappa m|T^J_M|kappa' m'> = (-1)^(j-m) 3j(j J j'; -m M m') <kappa||T^J||kappa'>.
/// Zero where l + L + l' is odd or a triangle fails. Used for the Breit interaction
/// (docs/theory/dirac-hartree-fock.md, "Angular factors of the Breit interaction"). Source of the
/// conventions: Varshalovich et al., Quantum Theory of Angular Momentum (1988), chapter 13.
double reducedSpinTensor(Symmetry bra, int rankL, int rankJ, Symmetry ket);

/// <kappa||C^k||kappa'> in the same convention; zero unless l + l' + k is even.
double reducedC(Symmetry bra, int k, Symmetry ket);

/// Parts of the frequency-independent Breit interaction: the magnetic (Gaunt) term -alpha1.alpha2/r12, the
/// gauge (retardation) term [alpha1.alpha2 - (alpha1.r12)(alpha2.r12)/r12^2]/(2 r12), and their sum.
enum class BreitPart { Gaunt, Gauge, Breit };

/// Angular factors of one radial kernel of the interaction, products of reduced matrix elements with the sign
/// and the degeneracies of the exchange matrices (docs/theory/dirac-hartree-fock.md, "Angular factors of the
/// Breit interaction"); rankJ is the tensor rank, rank1 and rank2 are the orbital ranks L1 and L2 = J - 1, J
/// or J + 1 at electrons 1 and 2.
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
