#pragma once
#include <string>
#include <vector>

namespace prophet {

/// `cudaprophet chain --elements LIST --out FOLDER [--threshold X] [--threads N] [--resume] [--quiet]`: the
/// smallest set of each element within the threshold, as library files.
int chainCommand(const std::vector<std::string>& arguments);

}  // namespace prophet
