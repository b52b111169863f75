#pragma once
#include <optional>

#include "atoms/basis/basis_set.hpp"
#include "atoms/calculation/calculation.hpp"
#include "atoms/calculation/result.hpp"

namespace prophet {

/// The even-tempered ladder in which densities at the nucleus are evaluated: its exponents are the same for
/// all charges and configurations of a nucleus, which only decide where its diffuse end lies, so that what it
/// misses cancels in differences. `own`: the set of the calculation, whose range it covers. Both j of an l
/// have the same functions.
BasisSet referenceLadder(const Nucleus& nucleus, const BasisSet& own);

/// The self-consistent field of a converged calculation in the reference ladder, from the result's spinors,
/// which it takes a few iterations; first-order corrections are left out. Empty for a nucleus without size,
/// a Hamiltonian that has no density there, and where the field does not converge.
std::optional<Result> inReferenceLadder(const Calculation& calculation, const Result& result);

}  // namespace prophet
