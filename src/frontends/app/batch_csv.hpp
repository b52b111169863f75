#pragma once
#include <string>
#include <vector>

namespace prophet {

/// The table of a batch as CSV: comments (#), a line with the names of the columns (docs/batches.md), and a
/// row for each of these jobs in this order, from its last line in the file of JSON lines. Throws Error if
/// the file cannot be read.
std::string batchCsv(const std::string& linesPath, const std::vector<std::string>& ids,
                     const std::string& version);

}  // namespace prophet
