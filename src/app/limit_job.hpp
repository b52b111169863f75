#pragma once
#include "app/command_line.hpp"
#include "calculation/calculation.hpp"

namespace prophet {

/// Runs jobtype='limit': prints the report, writes the JSON file, and returns the exit status. Throws Error
/// where the limit cannot be computed.
int runLimitJob(const CommandLine& line, const Calculation& calculation);

}  // namespace prophet
