#pragma once
#include "app/command_line.hpp"
#include "jobs/resolve.hpp"

namespace prophet {

/// Runs jobtype='bsopt': minimises the energy over the well-tempered parameters. Beside the input file it
/// keeps FILE.bsopt (every evaluation, for --resume) and FILE.best (the best set so far as an input block).
/// Returns the exit status. Throws Error where the first energy fails or the state file is another run's.
int runBsoptJob(const CommandLine& line, const ResolvedJob& job);

}  // namespace prophet
