#pragma once
#include <string>
#include <vector>

namespace prophet {

/// `cudaprophet compare A.json B.json...`: energy differences of results; the exit status.
int compareCommand(const std::vector<std::string>& arguments);

}  // namespace prophet
