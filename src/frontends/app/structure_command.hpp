#pragma once
#include <string>
#include <vector>

namespace prophet {

/// `cudaprophet structure CRYSTAL --shape SHAPE --out FILE ...`: cuts particles. Status as powderCommand.
int structureCommand(const std::vector<std::string>& arguments);

}  // namespace prophet
