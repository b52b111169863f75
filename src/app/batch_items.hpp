#pragma once
#include <istream>
#include <string>
#include <vector>

#include "service/batch_run.hpp"

namespace prophet {

/// Paths of a jobs file: one a line; blank lines and what follows a # (at the start or after a blank) are
/// left out. Throws UsageError for a line with a byte 0.
std::vector<std::string> readJobsList(std::istream& in);

/// The job of one input file, named like the file. A file with errors, or one that asks for what a batch
/// does not compute (another job than an energy, corrections, stored integrals), becomes an item that fails
/// alone with its reason. Throws ResourceError where the machine lacks what reading it takes.
BatchItem batchItem(const std::string& file);

}  // namespace prophet
