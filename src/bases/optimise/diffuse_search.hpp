#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bases/optimise/correlating_search.hpp"

namespace prophet {

/// A negative ion of one electron too many, in a basis set.
struct NegativeIonEnergy {
  std::string configuration;
  double field = 0;        ///< of Hartree-Fock, hartree
  double secondOrder = 0;  ///< of the electrons of negativeIonShells, hartree
  double total() const { return field + secondOrder; }
};

/// Which electrons of the ion are correlated: those of correlatedShells and the one more; none goes to an
/// open shell, which may take no energy.
CorrelatedShells negativeIonShells(int z);

/// Spinors of a negative ion and of its atom in a similar set, from which their fields begin; replaced by
/// those that are found.
struct AffinityStart {
  std::shared_ptr<const StartSpinors> ion, atom;
};

/// Empty where the ion is not bound in Hartree-Fock in this set or its field does not converge, where an
/// excitation takes no energy, where the electron goes to an f shell, which lies inside, and of Og. `atom`:
/// the neutral one. The ion has the configuration of defaultConfiguration.
std::optional<NegativeIonEnergy> negativeIonIn(int z, const AtomProblem& atom, const BasisSet& basis,
                                               AffinityStart* start = nullptr);

/// A negative ion beside the neutral atom, whose valence is correlated alike (negativeIonShells), hartree.
struct Affinity {
  NegativeIonEnergy ion;
  double atom = 0;
  double value() const { return atom - ion.total(); }
};

/// Both in one set. Empty where negativeIonIn is, and where an excitation of the atom takes no energy.
std::optional<Affinity> affinityIn(int z, const AtomProblem& atom, const BasisSet& basis,
                                   AffinityStart* start = nullptr);

struct DiffuseSearchResult {
  std::vector<FunctionGroup> groups;  ///< of the name "diffuse"
  std::optional<Affinity> affinity;   ///< in the set with them; empty where they are those of the response
  std::string shell;                  ///< that responds, "3p"
  int evaluations = 0;
};

/// The exponents of diffuse functions beside those of `basis`, a set with its groups for the valence. Where
/// the negative ion is bound in Hartree-Fock they have the largest affinity, which spares them from mending
/// what the set lacks for the neutral atom; elsewhere, of each l by itself, they have the largest
/// OuterResponse, and those of the shell's own l continue the set's list with the ratio of its last two, at
/// most 4. They lie below the set's exponents of their l, and a ratio of 1.35 to 8 from each other and from
/// these. By NEWUOA without derivatives; deterministic. Throws Error where the SCF does not converge.
DiffuseSearchResult searchDiffuse(int z, const AtomProblem& atom, const BasisSet& basis,
                                  const std::vector<FunctionCount>& counts);

}  // namespace prophet
