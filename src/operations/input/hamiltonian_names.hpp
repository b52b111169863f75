#pragma once
#include <string>

#include "atoms/atom/hamiltonian.hpp"

namespace prophet {

/// Meaning of the values of the keywords `breit`, `qedvp` and `qedse`; unknown values are not allowed here.
TwoElectronOperator operatorNamed(const std::string& breit);
QedOptions qedNamed(const std::string& polarisation, const std::string& selfEnergy);

}  // namespace prophet
