#pragma once
#include "atoms/scf/scf.hpp"

namespace prophet {

/// Whether a one-particle energy (hartree) lies in the negative-energy continuum, below -2c^2: there is no
/// bound state to find.
inline bool isDived(double energy, double c) { return !(energy > -2.0 * c * c); }

/// Throws Error where an occupied spinor is dived; says which, and what the user can do.
void requirePositiveEnergy(const ScfResult& result, double c);

/// Adds a remark where sums of stored integrals round the energy by more than is worth saying.
void remarkOnRounding(ScfResult& result);

}  // namespace prophet
