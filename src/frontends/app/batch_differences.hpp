#pragma once
#include <string>
#include <vector>

namespace prophet {

/// The energy differences among these jobs of a batch (report/energy_difference.hpp) as a table, from their
/// last lines in the file of JSON lines; a sentence where there are none. Throws Error if the file cannot be
/// read.
std::string batchDifferences(const std::string& linesPath, const std::vector<std::string>& ids);

}  // namespace prophet
