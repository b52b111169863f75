#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/atom/configuration.hpp"
#include "atoms/atom/nucleus.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/default_basis/exponent_rule.hpp"
#include "atoms/scf/guess.hpp"

namespace prophet {

/// What is known about an atom's spinors before its basis is chosen.
struct CoarseField {
  bool converged = false;               ///< or close enough to start from
  double energy = 0;                    ///< hartree, to about 1e-4 relative
  std::vector<ExponentDemand> demands;  ///< one for each symmetry up to the last occupied one
  StartSpinors start;                   ///< its spinors; empty if it did not converge
};

/// Least binding energy that the highest spinor of symmetry number `a` can have, hartree: what a
/// hydrogen-like one has in the charge that remains for it; for negative ions a small number. `around`:
/// charge of a shell around the atom, which remains for it too.
double leastBinding(int a, const Nucleus& nucleus, const Configuration& configuration, double around = 0);

/// Effective quantum number of an electron that is bound by `binding` hartree in the charge that an outermost
/// one sees; 0 for negative ions.
double effectiveQuantumNumber(double binding, const Nucleus& nucleus, const Configuration& configuration,
                              double around = 0);

/// A quick self-consistent field in a wide-meshed basis on a wide-meshed grid: milliseconds. Of the
/// Hamiltonian it has the one-electron operator and the charged shell.
CoarseField coarseField(const AtomProblem& problem);

/// Whether a library's set was made for this very calculation. If not, how it differs, as the end of a
/// sentence: "the library's set is for the neutral ground configuration", ...
std::optional<std::string> purposeMismatch(const LibraryEntry& entry, const Nucleus& nucleus,
                                           const Configuration& configuration, double c);

/// The basis that a calculation gets where its input names none.
struct DefaultBasis {
  BasisSet basis;
  std::string reason;   ///< one sentence: which basis, and why
  std::string library;  ///< collection that it comes from; empty if it was made for the calculation
  /// E(basis) - E(complete basis) of this very calculation, hartree, where the library's file states it.
  std::optional<double> knownError;
  std::optional<double> knownLimit;   ///< the numerical limit, likewise
  std::optional<StartSpinors> start;  ///< spinors to start the SCF from, if there are any
};

/// Reads an element's set of the default collection; empty if there is none.
using LibraryReader = std::function<std::optional<LibraryEntry>(int z)>;

/// Chooses a basis whose energy is within max(5e-9 |E|, 1e-6 hartree) of the complete-basis limit, for any
/// nucleus, charge, configuration and one-electron operator: the library's set where it was made for this
/// very case (neutral ground configuration, nucleus, speed of light), else one that is made from the spinors
/// of a quick self-consistent field, in the potential of the charged shell if the atom has one around it.
/// Without spin-orbit coupling both j of an l have the same exponents. Throws Error if there are no
/// electrons.
DefaultBasis chooseBasis(
    const AtomProblem& problem, const LibraryReader& library = [](int z) { return readLibraryEntry(z); });

}  // namespace prophet
