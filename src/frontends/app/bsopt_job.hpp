#pragma once
#include "frontends/app/command_line.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {

/// Runs jobtype='bsopt': minimises the energy over the well-tempered parameters. Beside the input file it
/// keeps FILE.bsopt (every evaluation, for --resume) and FILE.best (the best set so far as an input block).
/// Returns the exit status. Throws Error if the first energy fails or the state file belongs to another run.
int runBsoptJob(const CommandLine& line, const ResolvedJob& job);

}  // namespace prophet
