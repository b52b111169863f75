#pragma once
#include <string>
#include <vector>

namespace prophet {

/// `cudaprophet validate [--elements LIST] [--against limit|reference] ...`: energies in basis sets, the
/// numerical limit and shipped figures side by side. Status 0: all pass; 1: something fails; UsageError (2)
/// for wrong arguments.
int validateCommand(const std::vector<std::string>& arguments);

}  // namespace prophet
