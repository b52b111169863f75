#pragma once
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/atom/configuration.hpp"
#include "atoms/atom/shell_list.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/correlation/added_functions.hpp"

namespace prophet {

/// Further functions of one l, from the exponent `known` down: each one a ratio of 1.35 to 8 below the one
/// before.
struct OuterList {
  int l = 0, count = 0;
  double known = 0;  ///< ln
  double least() const;
  double most() const;
};

/// The exponents (ascending) that ln zeta of the functions stand for, from the largest down, within the
/// bounds.
std::vector<double> exponentsOf(const OuterList& list, const double* logs);
/// How far they are beyond the bounds, squared: times the share of a scale that a unit of ln zeta costs.
double penaltyOf(const OuterList& list, const double* logs);
/// ln zeta where searches begin.
std::vector<double> startOf(const OuterList& list);

/// How a shell of an atom follows fields of multipoles r^k, k being the difference of this l, which is
/// another than the shell's, and its own: the sum over virtual spinors a of angular factors and
/// <a|r^k|i>^2/(E_a - E_i), atomic units. Functions of this l that the set gets besides, `further`, only
/// increase it, up to the complete set's: uncoupled Hartree-Fock (A. Dalgarno, Adv. Phys. 11, 281 (1962)).
/// Zero where the atom lacks the shell.
class OuterResponse {
 public:
  /// `reach`: least and largest exponents of further functions. Throws Error where the field does not
  /// converge.
  OuterResponse(const AtomProblem& atom, const BasisSet& basis, const Shell& shell, const AddedList& reach);
  double operator()(const std::vector<double>& further) const;

 private:
  std::vector<SymmetryBasis> blocksWith(const std::vector<double>& further) const;

  AtomProblem atom_;
  BasisSet basis_;
  Shell shell_;
  int l_ = 0;
  OrbitalSpace space_;
};

/// The outermost s or p shell that a configuration occupies.
Shell outermostShell(const Configuration& configuration);

/// The functions within the bounds that have the largest OuterResponse of a shell, found by NEWUOA.
struct RespondingFunctions {
  std::vector<double> exponents;  ///< ascending
  double response = 0;            ///< atomic units
  double without = 0;             ///< that of the set alone
  int evaluations = 0;
};
RespondingFunctions mostResponding(const AtomProblem& atom, const BasisSet& basis, const Shell& shell,
                                   const OuterList& list);

/// The same with as many of the list's functions as each add a ten-thousandth of the response at least; none
/// where the innermost would lie at the bound, next to the set's own function. Exponents, ascending.
std::vector<double> worthwhileResponding(const AtomProblem& atom, const BasisSet& basis, const Shell& shell,
                                         const OuterList& list);

/// The neutral atom's ground configuration, and of Pd, which has no 5s electron there, the one with 4d9 5s1:
/// its shells are those that take part in bonds.
std::string valenceConfiguration(int z);

/// An atom as bonds have it: a tenth of the neutral atom, for shells that its positive ion
/// (defaultConfiguration) lacks, and nine tenths of the ion, as bonds contract the valence. In d blocks,
/// whose bonds mix them, the neutral atom is the average over all configurations d^k s^2 and d^(k+1) s^1 and
/// that of its ground. Throws Error for hydrogen, whose ion has no electron.
Configuration bondConfiguration(int z);

}  // namespace prophet
