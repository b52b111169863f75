#pragma once
#include <nlohmann/json.hpp>

#include "calculation/calculation.hpp"

namespace prophet {

/// Objects that say what was computed, in every JSON that the program writes. Keys: docs/json.md.
nlohmann::ordered_json nucleusJson(const Nucleus& nucleus);
nlohmann::ordered_json configurationJson(const Configuration& configuration);

/// Adds `symbol` (absent where the nuclear charge is no element's), `Z` and `charge` (of the whole atom).
void addAtom(const AtomProblem& problem, nlohmann::ordered_json& json);

/// That of the self-consistent field: "Dirac-Coulomb", "Dirac-Coulomb-Breit", "X2C-1e-Coulomb", "spin-free
/// X2C-1e-Coulomb", "non-relativistic".
std::string scfHamiltonian(const Hamiltonian& hamiltonian);

/// What a line of a batch says about its job beside the result: atom, `job`, `nucleus`, `configuration`
/// (description and electrons) and `basis` (description and functions; absent for a limit); `hamiltonian`
/// where it is not Dirac's.
nlohmann::ordered_json jobJson(const Calculation& calculation);

}  // namespace prophet
