#pragma once
#include "atoms/calculation/compute.hpp"

namespace prophet {

/// The two methods behind compute().
Result computeInBasis(const AtomProblem& problem, const BasisMethod& method, const Resources& resources,
                      const ScfObserver& observer);
Result computeLimit(const AtomProblem& problem, const LimitMethod& method, const Resources& resources);

}  // namespace prophet
