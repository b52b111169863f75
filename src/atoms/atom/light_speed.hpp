#pragma once
#include <limits>

#include "atoms/atom/hamiltonian.hpp"

namespace prophet {

/// The speed of light that a Hamiltonian's spinors know of, atomic units: infinite in the non-relativistic
/// one.
inline double lightSpeedOf(const Hamiltonian& h) {
  const bool none = h.oneElectron == OneElectronOperator::Nonrelativistic;
  return none ? std::numeric_limits<double>::infinity() : h.speedOfLight;
}

}  // namespace prophet
