#pragma once
#include <string>
#include <vector>

namespace prophet {

/// `cudaprophet shape FILE --q-grid ...`: form factors of nanostructures. Status 0; 1 where it cannot be
/// done; UsageError (2) for wrong arguments.
int shapeCommand(const std::vector<std::string>& arguments);

}  // namespace prophet
