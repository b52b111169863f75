#pragma once
#include "atoms/calculation/stored_settings.hpp"
#include "atoms/scf/scf.hpp"
#include "cuda/atoms/scf/stored_context.hpp"

namespace prophet::cuda {

/// prophet::runScf with stored integrals, on the context's device, which must be the calling thread's: same
/// result to rounding, and the same bits every time with the kernels Stored and Stse. `report`: filled with
/// what was done (may be null).
ScfResult runStoredScf(const BasisSet& basis, const Nucleus& nucleus, const Configuration& configuration,
                       double c, const ScfOptions& options, const StoredSettings& settings,
                       const ScfObserver& observer, StoredReport* report, StoredContext& context);

}  // namespace prophet::cuda
