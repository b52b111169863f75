#pragma once
#include <optional>
#include <vector>

#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/symmetry.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/calculation/calculation.hpp"
#include "atoms/calculation/result.hpp"
#include "atoms/properties/spinor_integrals.hpp"

namespace prophet {

/// rho(0) over the mean of rho over the nuclear charge distribution, rho being the density of a spinor: from
/// the regular solution of the radial equations at the nucleus, begun by its power series. Only s1/2 and p1/2
/// have a density at r = 0 (others: 0). `shift`: the potential energy of the spinor there without that of the
/// nucleus, minus its energy, hartree; a thousandth of the potential of the nucleus. `slowness`: 1/c^2 in
/// atomic units, 0 without relativity. The nucleus must have a size.
double centreOverMean(const Nucleus& nucleus, Symmetry symmetry, double shift, double slowness);

/// The even-tempered ladder in which densities at the nucleus are evaluated: its exponents are the same for
/// all charges and configurations of a nucleus, which only decide where its diffuse end lies, so that what it
/// misses cancels in differences. `own`: the set of the calculation, whose range it covers. Both j of an l
/// have the same functions.
BasisSet referenceLadder(const Nucleus& nucleus, const BasisSet& own);

/// The self-consistent field of a converged calculation in the reference ladder, from the result's spinors,
/// which it takes a few iterations; first-order corrections are left out. Empty for a nucleus without size,
/// a Hamiltonian that has no density there, and where the field does not converge.
std::optional<Result> inReferenceLadder(const Calculation& calculation, const Result& result);

/// The electrons where the nucleus is. Hartree atomic units: electrons/bohr^3, hartree/e. Densities and slope
/// are those of the atom for the numerical limit and for a basis that the program chose (then in the
/// reference ladder, reference_ladder.hpp), and those of the basis set for one that the user chose.
struct NuclearRegion {
  /// rho(0) and its mean over the nuclear charge distribution, (1/Z) integral of rho_nucleus rho; absent for
  /// a point nucleus, where the density is infinite.
  std::optional<double> density, meanDensity;
  /// Electrostatic potential of the electrons at r = 0, minus the sum of <1/r>; absent where that does not
  /// exist.
  std::optional<double> potential;
  /// Its mean over the nuclear charge distribution: the energy of nuclear attraction over Z.
  std::optional<double> meanPotential;
  /// dE/d<r^2>, hartree/bohr^2: the energy's change with the mean square radius of the nucleus, by the
  /// Hellmann-Feynman theorem with the change of the nuclear potential of this model (skin kept). (2 pi/3) Z
  /// meanDensity exactly for a Gaussian nucleus, to a fraction of a percent for the others. Absent for a
  /// point nucleus. Nuclear size in QED potentials is not in it.
  std::optional<double> energySlope;
  /// Estimated errors of density, mean density and slope, 0 or more; absent where they are not known.
  std::optional<double> densityError, meanDensityError, energySlopeError;
};

/// Adds a warning to `warnings` where the errors are unknown, or so large that differences between charges or
/// configurations mean nothing.
NuclearRegion nuclearRegion(const SpinorIntegrals& integrals, const Calculation& calculation,
                            const Result& result, std::vector<Warning>& warnings);

}  // namespace prophet
