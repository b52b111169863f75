#pragma once
#include <string>

#include "atom/hamiltonian.hpp"

namespace prophet {

/// Meaning of the values of the keywords `breit`, and `qedvp` and `qedse`, which must be known ones.
TwoElectronOperator operatorNamed(const std::string& breit);
QedOptions qedNamed(const std::string& polarisation, const std::string& selfEnergy);

}  // namespace prophet
