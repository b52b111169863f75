#pragma once
#include <string>
#include <vector>

#include "atoms/properties/expectation.hpp"
#include "atoms/properties/hyperfine.hpp"
#include "atoms/properties/nuclear_region.hpp"

namespace prophet {

/// Energies of the two spinors of a shell nl, hartree: epsilon(j = l + 1/2) - epsilon(j = l - 1/2).
struct SpinOrbitSplitting {
  std::string shell;  ///< "2p"
  double value = 0;
};

/// What follows from a calculation beside its energy (docs/properties.md). Hartree, bohr.
struct Properties {
  /// The self-consistent energy: operators of one electron (kinetic, nuclear, QED potentials) and of two
  /// (Coulomb, Breit).
  double oneElectron = 0, twoElectron = 0;
  std::vector<PowerMoments> moments;           ///< <r^k> of each spinor, as Result::spinors
  PowerMoments total;                          ///< of all electrons
  NuclearRegion nucleus;                       ///< empty of exact two-component Hamiltonians
  std::vector<SpinOrbitSplitting> splittings;  ///< of all shells with both spinors, in the order of n, then l
  std::vector<HyperfineIntegrals> hyperfine;   ///< of the open spinors; empty without small components
  std::vector<Warning> warnings;               ///< about these, beside those of the result
};

/// All of them, from the result of this calculation (a basis or the limit alike); densities at the nucleus
/// take as long as a second calculation in a larger basis. Throws Error if it has no wavefunction: a
/// calculation in a basis keeps it with BasisMethod::keepSpinors where it converges.
Properties propertiesOf(const Calculation& calculation, const Result& result);

/// The warnings of a result, then those of its properties.
std::vector<Warning> allWarnings(const Result& result, const Properties& properties);

std::vector<SpinOrbitSplitting> spinOrbitSplittings(const std::vector<Spinor>& spinors);

}  // namespace prophet
