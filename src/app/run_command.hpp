#pragma once
#include "app/command_line.hpp"

namespace prophet {

/// Runs one input file: prints the report to standard output as it grows, writes the JSON file, and returns
/// the exit status. Throws Error if the calculation cannot be done.
int runCommand(CommandLine line);

}  // namespace prophet
