#pragma once
#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/radial_operator.hpp"

namespace prophet {

/// Potential energy of an electron in a charged shell, hartree.
inline double potential(const ChargedShell& shell, double r) {
  return -shell.charge / (r < shell.radius ? shell.radius : r);
}

/// The same as an operator of the part EnergyPartId::External.
inline RadialOperator shellOperator(const ChargedShell& shell) {
  return {EnergyPartId::External, {{[shell](double r) { return potential(shell, r); }, {}}}, {}};
}

}  // namespace prophet
