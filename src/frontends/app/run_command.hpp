#pragma once
#include "frontends/app/command_line.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {

/// Runs one input file: prints the report to standard output as it grows, writes the JSON file, and returns
/// the exit status. Throws Error if the calculation cannot be done.
int runCommand(CommandLine line);

/// The same of a job that is resolved already.
int runJob(ResolvedJob job, CommandLine& line);

}  // namespace prophet
