#pragma once
#include "atoms/limit/limit.hpp"
#include "gaussian_atom.hpp"

namespace prophet::test {

LimitResult limitOf(const GaussianAtom& atom, TwoElectronOperator operation, bool breitSelfConsistent);

/// Compares Coulomb, Coulomb-Gaunt and Coulomb-Breit energies, self-consistent and in first order, of the
/// limit with those of the Gaussian basis. The limit must be the lower one by less than `basisError`, and
/// what Gaunt and Breit change must agree within `shiftError` (hartree).
void expectBreitAgrees(const GaussianAtom& atom, double basisError, double shiftError);

}  // namespace prophet::test
