#include "atoms/calculation/compute.hpp"

#include <exception>
#include <new>

#include "atoms/calculation/methods.hpp"

namespace prophet {

Result compute(const Calculation& calculation, const Resources& resources, const ScfObserver& observer) {
  pass(resources.checkpoint);
  requireSound(calculation);
  if (calculation.isLimit()) return computeLimit(calculation.problem, calculation.limit(), resources);
  return computeInBasis(calculation.problem, calculation.inBasis(), resources, observer);
}

Result computeOrReason(const Calculation& calculation, const Resources& resources) noexcept {
  try {
    return compute(calculation, resources);
  } catch (const std::bad_alloc&) {
    return failedResult("not enough memory for this calculation; use a smaller basis or fewer --threads");
  } catch (const std::exception& error) {
    return failedResult(error.what());
  }
}

}  // namespace prophet
