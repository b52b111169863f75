#pragma once
#include "atoms/atom/configuration.hpp"
#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/nucleus.hpp"

namespace prophet {

/// What is to be computed, whatever the method: one atom or ion and its Hamiltonian. Energies, limits,
/// optimisations and batches all take it.
struct AtomProblem {
  Nucleus nucleus;
  Configuration configuration;
  Hamiltonian hamiltonian;
};

}  // namespace prophet
