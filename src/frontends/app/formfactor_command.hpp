#pragma once
#include <string>
#include <vector>

namespace prophet {

/// `cudaprophet formfactor SPECIES... --q START:STOP:STEP ...`: X-ray or electron scattering factors of atoms
/// and ions, and fits of them. Status 0: all done; 3: some do not converge or are not bound; UsageError (2)
/// for wrong arguments.
int formfactorCommand(const std::vector<std::string>& arguments);

}  // namespace prophet
