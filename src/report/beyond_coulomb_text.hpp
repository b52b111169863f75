#pragma once
#include <string>

#include "calculation/calculation.hpp"

namespace prophet {

/// "none", "first order", "first order, frequency-dependent" (Breit), "self-consistent".
std::string breitTreatment(const BeyondCoulomb& beyond);
std::string qedTreatment(const BeyondCoulomb& beyond);

/// "Dirac-Coulomb", "Dirac-Coulomb-Breit, self-consistent", "Dirac-Coulomb-Gaunt, Gaunt in first order".
std::string hamiltonianText(const BeyondCoulomb& beyond);

/// "vacuum polarisation (Uehling), self-energy (fitted to inner shells); first order"; empty without QED.
std::string qedText(const BeyondCoulomb& beyond);

}  // namespace prophet
