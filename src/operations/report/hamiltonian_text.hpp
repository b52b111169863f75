#pragma once
#include <string>

#include "atoms/atom/hamiltonian.hpp"

namespace prophet {

/// "Dirac-Coulomb", "Dirac-Coulomb-Breit, self-consistent", "Dirac-Coulomb-Gaunt, Gaunt in first order".
std::string hamiltonianText(const Hamiltonian& hamiltonian);

/// "vacuum polarisation (Uehling), self-energy (fitted to inner shells); first order"; empty without QED.
std::string qedText(const Hamiltonian& hamiltonian);

}  // namespace prophet
