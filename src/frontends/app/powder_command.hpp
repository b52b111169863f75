#pragma once
#include <string>
#include <vector>

namespace prophet {

/// `cudaprophet powder FILE --q START:STOP:STEP ...`: the scattering of a powder of particles by the formula
/// of Debye. Status 0: done; UsageError (2) for wrong arguments; Error for files that cannot be read.
int powderCommand(const std::vector<std::string>& arguments);

}  // namespace prophet
