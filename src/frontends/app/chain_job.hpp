#pragma once
#include "frontends/app/command_line.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {

/// Runs jobtype='chain': the smallest set of one atom within a threshold of its numerical limit. Beside the
/// input file it keeps FILE.chain (what is finished, for --resume) and FILE.best (the set as an input block).
/// Returns the exit status; kNotConverged if no set meets the threshold. Throws Error if the state file
/// belongs to another run or the limit does not converge.
int runChainJob(const CommandLine& line, const ResolvedJob& job);

}  // namespace prophet
