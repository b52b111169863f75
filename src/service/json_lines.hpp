#pragma once
#include <string>

#include "service/energy_service.hpp"
#include "service/json_lines_file.hpp"

namespace prophet {

/// An outcome as one line of JSON, newline included: id, status, and either energies (hartree) and iterations
/// or a reason.
std::string jsonLine(const EnergyOutcome& outcome);

}  // namespace prophet
