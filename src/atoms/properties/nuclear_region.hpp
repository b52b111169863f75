#pragma once
#include <optional>
#include <vector>

#include "atoms/calculation/calculation.hpp"
#include "atoms/properties/spinor_integrals.hpp"

namespace prophet {

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
