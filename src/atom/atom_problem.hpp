#pragma once
#include "atom/configuration.hpp"
#include "atom/hamiltonian.hpp"
#include "atom/nucleus.hpp"

namespace prophet {

/// What is to be computed, whatever the method: one atom or ion and its Hamiltonian. Energies, limits,
/// optimisations and batches all take it.
struct AtomProblem {
  Nucleus nucleus;
  Configuration configuration;
  Hamiltonian hamiltonian;
};

}  // namespace prophet
