#pragma once
#include <string>
#include <vector>

namespace prophet {

/// `cudaprophet batch FILE.inp... [--jobs-file LIST] --json-lines OUT [--resume] [--backend auto|cpu|cuda]
/// [--device N,...] [--threads N] [--quiet]`: energies of many input files, one JSON line each. Exit status 3
/// where any of them failed or did not converge. Throws UsageError for the command line, Error where the
/// output or the asked-for GPU cannot be used.
int batchCommand(const std::vector<std::string>& arguments);

}  // namespace prophet
