#pragma once
#include <functional>
#include <optional>
#include <string>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/atom/configuration.hpp"
#include "atoms/atom/nucleus.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/scf/guess.hpp"

namespace prophet {

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
