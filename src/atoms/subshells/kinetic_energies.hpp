#pragma once
#include <vector>

#include "atoms/subshells/subshell_functions.hpp"

namespace prophet {

/// Three kinetic energies of one electron of a subshell, which are the same without relativity.
struct KineticEnergies {
  double kinetic = 0;  ///< <c alpha.p + (beta - 1) c^2>, hartree: what sums to the kinetic part of energies
  double halfVelocity = 0;    ///< <c alpha.p>/2, hartree: U of the binary-encounter Bethe model
  double momentumSquare = 0;  ///< <p^2>, bohr^-2; not a number where the integral does not exist
};

/// Energies of each spinor.
std::vector<KineticEnergies> kineticEnergies(const SubshellFunctions& functions);

/// Expectation value of an operator in each spinor, hartree: what a radiative potential adds to its energy in
/// first order.
std::vector<double> firstOrderShifts(const SubshellFunctions& functions,
                                     const std::vector<RadialOperator>& operators);

}  // namespace prophet
