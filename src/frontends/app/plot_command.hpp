#pragma once
#include <string>
#include <vector>

namespace prophet {

constexpr const char* kPlotSummary =
    "pictures of atoms and of what other commands wrote (Python, matplotlib)";

/// `cudaprophet plot ...`: Python with the package cudaprophet takes the place of this process, and draws.
/// Returns only after --help. Throws UsageError for an empty command line, Error where there is no Python.
int plotCommand(const std::vector<std::string>& arguments);

}  // namespace prophet
