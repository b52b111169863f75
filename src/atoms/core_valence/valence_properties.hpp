#pragma once
#include <optional>
#include <string>
#include <vector>

#include "atoms/correlation/orbital_space.hpp"
#include "atoms/correlation/self_energy.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet {

/// One number of electrons outside of closed shells by four methods.
struct PolarisedValue {
  double bare = 0;       ///< of the spinors in the field of the closed shells
  double polarised = 0;  ///< with the response of these shells (CorePolarisation)
  double brueckner = 0;  ///< with that and Brueckner orbitals
  double radiated = 0;   ///< with these and structural radiation and normalisation (StructuralRadiation)
};

/// Hyperfine constants of one state.
struct ValenceHyperfine {
  std::string spinor;
  PolarisedValue a;                 ///< MHz for mu_I/I = 1 nuclear magneton
  std::optional<PolarisedValue> b;  ///< MHz for Q = 1 barn, of j > 1/2
};

/// One multipole between two states.
struct ValenceTransition {
  std::string multipole;  ///< "E1", "M1", "E2"
  std::string lower, upper;
  double energy = 0, bruecknerEnergy = 0;  ///< differences of both energies, hartree
  /// <upper||T||lower>, T = r C^1 (e a0), the magnetic moment (Bohr magnetons) or r^2 C^2 (e a0^2), in a sign
  /// that makes the bare one positive. Convention: reducedC.
  PolarisedValue element;
};

struct ValenceProperties {
  std::vector<ValenceHyperfine> hyperfine;
  /// E1 and E2 between all pairs of states, M1 within doublets (of one n and l).
  std::vector<ValenceTransition> transitions;
  bool truncated = false;  ///< see CorePolarisation::isTruncated
};

/// Properties of electrons in the closed shells' space, which must have small components. Elements between
/// states are those at the frequency of their energies, hyperfine constants static. `frozen`: shells that
/// take no part in structural radiation, as they have none in the self-energy. Throws what CorePolarisation
/// does.
ValenceProperties valenceProperties(const OrbitalSpace& space, const Configuration& core,
                                    const std::vector<Shell>& frozen, const std::vector<ValenceState>& states,
                                    double speedOfLight, ThreadPool& pool, const Checkpoint& checkpoint = {});

}  // namespace prophet
