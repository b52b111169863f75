#pragma once
#include <vector>

#include "atom/nucleus.hpp"
#include "atom/symmetry.hpp"

namespace prophet {

/// What the occupied spinors of one symmetry require of its exponents. Binding energies are positive,
/// hartree.
struct ExponentDemand {
  Symmetry symmetry;
  double innermost = 0, outermost = 0;            ///< binding energies of the first and the last spinor
  double innerElectrons = 0, outerElectrons = 0;  ///< electrons in these two
};

/// How closely a ladder follows the spinors.
struct ExponentRule {
  double tolerance = 0;   ///< error of the energy that each end of the ladder may make, hartree
  double ratio = 1.7;     ///< of neighbouring exponents, away from the tight end
  double widening = 1.3;  ///< share by which the ratio has grown at the tight end
  double reach = 1.0;     ///< factor by which both ends go further than the estimates
};

/// The ratio at which an even-tempered set misses `relativeError` of an atom's energy. The error falls as
/// exp(-pi^2/ln ratio), like that of the trapezoidal rule in ln zeta (docs/default-basis.md).
double evenTemperedRatio(double relativeError, double charge);

/// Exponents (bohr^-2, ascending) for the spinors of one symmetry: nearly even-tempered, with ratios that
/// grow towards the tight end, where the error of a gap counts less and less (docs/default-basis.md has the
/// derivation and the constants). Diffuse end: from the outermost binding energy. Tight end: from how
/// the spinors start at the nucleus, r^gamma for a point, and cut at the size of an extended nucleus. `c`:
/// speed of light.
std::vector<double> fittedExponents(const ExponentDemand& demand, const Nucleus& nucleus, double c,
                                    const ExponentRule& rule);

}  // namespace prophet
