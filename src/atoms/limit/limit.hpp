#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/energy_breakdown.hpp"
#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/nucleus.hpp"
#include "core/common/constants.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet {

class LimitWavefunction;  // limit/wavefunction.hpp

/// One iteration of the self-consistent field.
struct LimitStep {
  int resolution = 1;                  ///< 1, on a mesh that may be extended, or 2
  int iteration = 0;                   ///< from 1, on this mesh
  double residual = 0, threshold = 0;  ///< hartree; it ends below the threshold
};

/// Spinors of the same atom in a field that converged with another density of the mesh.
struct LimitStart {
  std::shared_ptr<const LimitWavefunction> spinors;
  double highestEnergy = 0;  ///< of the spinors, hartree
};

/// Controls of the numerical limit. The defaults give 1e-12 relative or better for H-Og.
struct LimitOptions {
  double speedOfLight = constants::kSpeedOfLight;
  /// Dirac, or with Coulomb repulsion alone: Nonrelativistic, p^2/2 for P alone, where speedOfLight is
  /// without effect, or KoellingHarmon, with a functional of the density that has neither exact exchange nor
  /// a kinetic-energy density nor spin.
  OneElectronOperator oneElectron = OneElectronOperator::Dirac;
  /// Density functional in place of exchange (functional/functional.hpp); empty: Hartree-Fock.
  std::string functional;
  SpinPolarisation spin = SpinPolarisation::None;  ///< of the functional's density
  int splineOrder =
      10;  ///< of the large component's splines (degree + 1), 5 .. 16; the small one's: one less
  double density = 1.0;     ///< cells per unit of ln r in the first resolution, relative to the default mesh
  double refinement = 1.3;  ///< the second resolution's density over the first's, > 1
  int maxIterations = 100;  ///< for each resolution
  double residualThreshold = 1e-9;  ///< largest residual of the Fock equations, hartree
  int threads = 2;
  double largestRadius =
      0;  ///< bohr, where spinors vanish; 0: extended until the weakest bound one has died away
  std::vector<RadialOperator> extra;  ///< one-electron operators added to the Dirac operator (QED potentials)
  /// Whether they act on the spinors; else their expectation values alone are computed, in first order.
  bool extraSelfConsistent = true;
  ChargedShell shell;  ///< around the atom, in the self-consistent field; `extra` must be so too
  /// Repulsion of the electrons: Coulomb, with the Gaunt or the frequency-independent Breit interaction.
  TwoElectronOperator twoElectronOperator = TwoElectronOperator::Coulomb;
  bool breitSelfConsistent = true;                 ///< else in first order on the Coulomb spinors
  Checkpoint checkpoint;                           ///< called before each iteration, in the calling thread
  std::function<void(const LimitStep&)> observer;  ///< called after each iteration; may be empty
  /// Where it is given, the second resolution alone is solved, on a mesh that ends where this one does, and
  /// the error is not a number.
  std::optional<LimitStart> start;
};

/// One occupied spinor. Lengths in bohr, energies in hartree.
struct LimitSpinor {
  std::string label;  ///< "2p1/2"
  int n = 0;          ///< principal quantum number: l + 1 and one for each node
  int kappa = 0;
  bool open = false;
  bool bound = true;  ///< energy < 0, and an amplitude that dies away before the end of the mesh
  double occupation = 0;
  double energy = 0;
  double meanRadius = 0, meanSquareRadius = 0, meanInverseRadius = 0;  ///< <r>, <r^2>, <1/r>
  double breit = 0;  ///< its Breit interaction with all others where that is of first order, hartree
};

/// What was done at one resolution.
struct LimitResolution {
  int cells = 0, splines = 0, points = 0, iterations = 0;
  double largestRadius = 0, residual = 0, energy = 0;
};

struct LimitResult {
  bool converged = false;  ///< at both resolutions
  double energy = 0;       ///< hartree, of the finer resolution, without first-order parts
  /// Difference of the two resolutions, not below the rounding error; infinite if a spinor is not bound:
  /// the energy then depends on where the mesh ends.
  double estimatedError = 0;
  EnergyBreakdown parts;  ///< of `energy`, and what is of first order
  /// -<V>/<c alpha.p>, V all potential energy (-<V>/(2 <T>) without relativity): 1 for a point nucleus. NaN
  /// where there is no virial theorem: KoellingHarmon, whose energy is not stationary.
  double virialRatio = 0;
  std::vector<LimitSpinor> spinors;  ///< by symmetry s+, p-, p+, ..., ascending in each
  std::vector<std::string> unbound;  ///< labels of the spinors that are not bound
  std::vector<LimitResolution> resolutions;
  std::string remark;  ///< which start led to the state, where it was not the usual one; else empty
  std::shared_ptr<const LimitWavefunction> wavefunction;  ///< radial functions of `spinors`
};

/// Complete-basis Dirac-Hartree-Fock (or Hartree-Fock) energy of an average of configurations, by B-splines
/// in ln r (docs/theory/numerical-limit.md), at two resolutions; shares no basis and no two-electron code
/// with the Gaussian part of the program. Where the iterations give reason to doubt that the state is the
/// lowest of its occupations (negative ions, slow or no convergence, electrons that are not bound, a wrong
/// number of nodes) they begin anew from other fields, and the lowest state is kept. A field that does not
/// converge is reported in `converged`, and electrons that the atom does not hold in `unbound`, not thrown.
/// Throws Error for options out of range, operators that there are no limits of, no electrons, a nucleus too
/// heavy for its model or so heavy that its 1s lies below -2 c^2, or if the states found are not those
/// requested (by their nodes).
LimitResult numericalLimit(const Nucleus& nucleus, const Configuration& configuration,
                           const LimitOptions& options = {});

}  // namespace prophet
