#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "atoms/calculation/calculation.hpp"
#include "atoms/calculation/result.hpp"

namespace prophet {

/// Objects that say what was computed, in every JSON that the program writes. Keys: docs/reference/json.md.
nlohmann::ordered_json nucleusJson(const Nucleus& nucleus);
nlohmann::ordered_json configurationJson(const Configuration& configuration);

/// Adds `symbol` (absent where the nuclear charge is no element's), `Z` and `charge` (of the whole atom).
void addAtom(const AtomProblem& problem, nlohmann::ordered_json& json);

/// That of the self-consistent field: "Dirac-Coulomb", "Dirac-Coulomb-Breit", "X2C-1e-Coulomb", "spin-free
/// X2C-1e-Coulomb", "non-relativistic".
std::string scfHamiltonian(const Hamiltonian& hamiltonian);

/// What a line of a batch says about its job beside the result: atom, `job`, `nucleus`, `configuration`
/// (description and electrons), `hamiltonian`, `treatment` of Breit and QED, and `basis` (description and
/// functions; absent for a limit).
nlohmann::ordered_json jobJson(const Calculation& calculation);

/// Error of the energy, hartree: of the basis set, known or estimated, or of the numerical limit; empty where
/// there is none. What every output calls error_estimate.
std::optional<double> errorEstimate(const Result& result);

/// {"breit": breitTreatment, "qed": qedTreatment}.
nlohmann::ordered_json treatmentJson(const Hamiltonian& h);
/// How the Breit interaction and QED are treated: "none", "first order", "first order, frequency-dependent",
/// "self-consistent"; the same words in every output.
std::string breitTreatment(const Hamiltonian& h);
std::string qedTreatment(const Hamiltonian& h);

}  // namespace prophet
