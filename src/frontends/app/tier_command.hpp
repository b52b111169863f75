#pragma once
#include <string>
#include <vector>

namespace prophet {

/// `cudaprophet tier`: basis sets of given sizes for a range of elements, one list of exponents for both j.
/// Returns the exit status; throws UsageError and Error.
int tierCommand(const std::vector<std::string>& arguments);

}  // namespace prophet
