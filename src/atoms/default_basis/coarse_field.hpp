#pragma once
#include <vector>

#include "atoms/atom/atom_problem.hpp"
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

}  // namespace prophet
