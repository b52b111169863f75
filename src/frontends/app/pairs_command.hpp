#pragma once
#include <string>
#include <vector>

namespace prophet {

/// `cudaprophet pairs FILE ...`: pair distribution functions, or structure factors with --sq. Status as
/// powderCommand.
int pairsCommand(const std::vector<std::string>& arguments);

}  // namespace prophet
