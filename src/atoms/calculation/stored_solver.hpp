#pragma once
#include "atoms/calculation/calculation.hpp"
#include "atoms/calculation/stored_settings.hpp"

namespace prophet {

/// An SCF with stored integrals on another device than the host: what a GPU offers for one calculation.
class StoredSolver {
 public:
  virtual ~StoredSolver() = default;
  /// runScf with stored integrals; same result to rounding. `report` may be null. Throws Error with what the
  /// user can do, DeviceError where the device is to blame.
  virtual ScfResult runStoredScf(const AtomProblem& problem, const BasisMethod& method,
                                 const StoredSettings& settings, const ScfObserver& observer,
                                 StoredReport* report) = 0;
};

}  // namespace prophet
