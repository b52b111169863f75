#pragma once
#include <memory>
#include <vector>

#include "atoms/atom/shell_list.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/calculation/calculation.hpp"
#include "atoms/calculation/result.hpp"
#include "atoms/correlation/correlated_spinors.hpp"
#include "atoms/correlation/orbital_space.hpp"
#include "atoms/correlation/second_order.hpp"

namespace prophet {

/// Gaussians of one l, the same for both j: bohr^-2.
struct AddedList {
  int l = 0;
  std::vector<double> exponents;
};

/// Which electrons are correlated, and where they may go: as in CorrelationOptions.
struct CorrelatedShells {
  std::vector<Shell> frozen{}, inner{};
  bool virtualOnly = false;
};

struct AddedEnergy {
  double energy = 0;                          ///< hartree
  std::vector<std::vector<double>> gradient;  ///< dE/d ln zeta of each list's functions, hartree
};

/// The SCF whose field second order is computed in: with spinors, which converge as far as energies of second
/// order need it. Those are of first order in their errors.
Calculation calculationToCorrelate(const BasisSet& basis, const AtomProblem& problem);

/// Energies of second order of one atom in a basis set and further functions, which change from energy to
/// energy. The field, and with it the occupied spinors, stays that of the set without them, and all sums
/// over spinors of symmetries without further functions are computed once. Not thread-safe.
class AddedFunctions {
 public:
  /// `basis`: without contractions. `ranges`: of each l that gets further
  /// functions, the least and the largest exponent that they may have. Throws Error where the field does not
  /// converge, and for configurations that secondOrder refuses.
  AddedFunctions(AtomProblem problem, BasisSet basis, CorrelatedShells shells,
                 const std::vector<AddedList>& ranges);

  /// Energy of second order with these functions, one list for each of the ranges in their order; hartree.
  /// It is secondOrder's in the set with all functions, for the same field.
  double energy(const std::vector<AddedList>& lists);
  /// The same and its derivatives with respect to ln zeta of every function, in the order of the lists:
  /// exact but for the mesh and for near-dependent functions that are left out. Throws Error unless the
  /// Hamiltonian has four components.
  AddedEnergy energyAndGradient(const std::vector<AddedList>& lists);
  double smallestGap() const { return smallestGap_; }

 private:
  AtomProblem problem_;
  BasisSet basis_;
  CorrelatedShells shells_;
  ThreadPool pool_{1};
  OrbitalSpace space_;
  SecondOrderCache cache_;
  std::vector<bool> targets_;
  CorrelationOptions optionsFor(std::vector<bool> targets);
  std::vector<SymmetryBasis> blocksWith(const std::vector<AddedList>& lists) const;

  double constant_ = 0, smallestGap_ = 0;
};

/// The SCF of an atom in a set without contractions, with its spinors; of any status. `start`: as in
/// BasisMethod.
Result fieldIn(const AtomProblem& problem, const BasisSet& basis,
               std::shared_ptr<const StartSpinors> start = nullptr);
/// The spinors of such a field, occupied and virtual, in the functions of a larger set or the same. Throws
/// Error where the field did not converge or does not hold its electrons.
OrbitalSpace spinorsIn(const AtomProblem& problem, const BasisSet& basis, const Result& field,
                       ThreadPool& pool);
/// Second order of these electrons.
SecondOrder secondOrderOf(const OrbitalSpace& spinors, const AtomProblem& problem,
                          const CorrelatedShells& shells, ThreadPool& pool);

/// Energy of second order in a set without contractions, with the field of the set, hartree. Throws Error
/// where the field does not converge, for configurations that secondOrder refuses, and where an excitation
/// takes no energy (7p of Fl to Ts, whose 7p3/2 lies far above 7p1/2).
double secondOrderIn(const AtomProblem& problem, const BasisSet& basis, const CorrelatedShells& shells);

/// `basis` with further functions, exponents ascending; of an l beyond its last with empty lists between.
BasisSet withLists(BasisSet basis, const std::vector<AddedList>& lists);
/// The same with the functions for correlation that a set of a collection has beside those of the atom.
BasisSet withGroups(BasisSet basis, const std::vector<FunctionGroup>& groups);

/// Makes a field's spinors fit to be correlated: settled and kept, and in a set that the user named with
/// those of the library's functions for correlation that `chosen` picks (valenceGroups, coreValenceGroups).
void prepareToCorrelate(BasisMethod& method,
                        std::vector<FunctionGroup> (*chosen)(std::vector<FunctionGroup>));

}  // namespace prophet
