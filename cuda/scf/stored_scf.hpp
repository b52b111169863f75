#pragma once
#include "calculation/stored_settings.hpp"
#include "scf/scf.hpp"

namespace prophet::cuda {

/// prophet::runScf with stored integrals, on the current device: same result to rounding. `report`: filled
/// with what was done (may be null).
ScfResult runStoredScf(const BasisSet& basis, const Nucleus& nucleus, const Configuration& configuration,
                       double c, const ScfOptions& options, const StoredSettings& settings,
                       const ScfObserver& observer = {}, StoredReport* report = nullptr);

}  // namespace prophet::cuda
