#pragma once
#include <limits>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/nucleus.hpp"

namespace prophet {

/// The speed of light that a Hamiltonian's spinors know of, atomic units: infinite in the non-relativistic
/// one.
inline double lightSpeedOf(const Hamiltonian& h) {
  return kindOf(h.oneElectron).relativistic ? h.speedOfLight : std::numeric_limits<double>::infinity();
}

/// What is to be computed, whatever the method: one atom or ion and its Hamiltonian. Energies, limits,
/// optimisations and batches all take it.
struct AtomProblem {
  Nucleus nucleus;
  Configuration configuration;
  Hamiltonian hamiltonian;
};

}  // namespace prophet
