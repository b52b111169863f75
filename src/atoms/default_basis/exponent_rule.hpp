#pragma once
#include <cmath>
#include <vector>

#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/symmetry.hpp"
#include "atoms/basis/basis_set.hpp"

namespace prophet {

/// What the occupied spinors of one symmetry require of its exponents. Binding energies are positive,
/// hartree.
struct ExponentDemand {
  Symmetry symmetry;
  double innermost = 0, outermost = 0;            ///< binding energies of the first and the last spinor
  double innerElectrons = 0, outerElectrons = 0;  ///< electrons in these two
  /// Effective quantum number of the outermost spinor, z/sqrt(2 e) in the charge z that it sees; 0 where it
  /// sees none (negative ions) or it is not known.
  double effective = 0;
};

/// How closely a ladder follows the spinors.
struct ExponentRule {
  double tolerance = 0;   ///< error of the energy that each end of the ladder may make, hartree
  double ratio = 1.7;     ///< of neighbouring exponents, away from the tight end
  double widening = 1.3;  ///< share by which the ratio has grown at the tight end
  double reach = 1.0;     ///< factor by which both ends go further than the estimates
  bool bothJ = false;     ///< one ladder for both j of an l: no spin-orbit coupling
  /// No wider ratio up to 12 Z^2, where the shells of an atom lie, whatever the widening.
  double widestAtShells = INFINITY;
};

/// The ratio at which an even-tempered set misses `relativeError` of an atom's energy. The error falls as
/// exp(-pi^2/ln ratio), like that of the trapezoidal rule in ln zeta (docs/theory/default-basis.md).
double evenTemperedRatio(double relativeError, double charge);

/// What the energy rises by, hartree, because no function has a larger exponent than `largest` (bohr^-2)
/// and the spinors of a point nucleus start as r^gamma.
double missingAtPoint(const ExponentDemand& demand, double charge, double c, double largest,
                      bool bothJ = false);

/// Exponents (bohr^-2, ascending) for the spinors of one symmetry: nearly even-tempered, with ratios that
/// grow towards the tight end, where the error of a gap counts less and less (docs/theory/default-basis.md
/// has the derivation and the constants). Diffuse end: from the outermost binding energy; for Rydberg states
/// it is further out, and the ladder is narrower. Tight end: from how the spinors start at the nucleus,
/// r^gamma for a point, and cut at the size of an extended nucleus. `c`: speed of light; infinite without
/// relativity.
std::vector<double> fittedExponents(const ExponentDemand& demand, const Nucleus& nucleus, double c,
                                    const ExponentRule& rule);

/// fittedExponents of every symmetry; with `rule.bothJ` those of l - 1/2 are those of l + 1/2.
BasisSet fittedSet(const std::vector<ExponentDemand>& demands, const Nucleus& nucleus, double c,
                   const ExponentRule& rule);

}  // namespace prophet
