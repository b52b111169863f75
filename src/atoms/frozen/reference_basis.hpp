#pragma once
#include "atoms/atom/configuration.hpp"
#include "atoms/atom/nucleus.hpp"
#include "atoms/basis/well_tempered.hpp"

namespace prophet {

/// A large even-tempered set with one ladder (first exponent 0.004 bohr^-2, ratio `beta`) for every element
/// and every occupied symmetry. The ranges are a formula in the charge, generous at both ends. With beta
/// = 1.7 and the Gaussian nucleus all neutral atoms H-Og come out less than 1e-9 (relative) above their
/// limit, with
/// 1.6 less than 1e-10; docs/engineering/basis-searches.md.
WellTemperedSpec universalSpec(const Nucleus& nucleus, const Configuration& configuration, double beta);

/// A large well-tempered set with one pool of exponents for all symmetries (the first 0.004 bohr^-2, `beta`,
/// delta 5, gamma 1) over the same ranges; both symmetries of an l have the same functions.
WellTemperedSpec sharedLadderSpec(const Nucleus& nucleus, const Configuration& configuration, double beta);

/// `spec` without what comes after the last symmetry that has electrons, and without groups that no symmetry
/// uses then. Throws Error if it does not reach that symmetry.
WellTemperedSpec occupiedPart(const WellTemperedSpec& spec, const Configuration& configuration);

}  // namespace prophet
