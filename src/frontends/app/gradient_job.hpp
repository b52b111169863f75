#pragma once
#include "frontends/app/command_line.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {

/// jobtype='bsopt' with method='lbfgs' or 'slsqp': minimises the energy over the parameters of ladders or
/// over all exponents by its gradient. Leaves FILE.best, the set as an input block. Returns the exit status.
/// Throws Error if the first energy fails or the problem has none that the search can take.
int runGradientJob(const CommandLine& line, const ResolvedJob& job);

}  // namespace prophet
