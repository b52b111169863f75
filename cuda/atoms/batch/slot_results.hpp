#pragma once
#include <Eigen/Core>
#include <memory>
#include <vector>

#include "atoms/service/energy_service.hpp"
#include "cuda/atoms/batch/view.hpp"

/// What the numbers of a finished slot mean. `shape`: of its batch; pointers: to the slot's own part of what
/// came from the device. Energies in hartree.
namespace prophet::cuda::batch {

/// `energies`: of the orbitals; `qedParts`: symmetries x kMostQedParts, read only where there are QED
/// corrections.
Result slotResult(const Calculation& calculation, const Shape& shape, const SlotState& state,
                  const double* energies, const double* qedParts);

/// Coefficients over orthonormal functions without the padding, as judgeSpinors takes them.
std::vector<Eigen::MatrixXd> slotCoefficients(const Calculation& calculation, const Shape& shape,
                                              const double* coefficients);

/// Adds spinors over the primitives, as launchSpinors leaves them, to a result.
void addSpinors(const Calculation& calculation, const Shape& shape, const double* spinors, Result& result);

}  // namespace prophet::cuda::batch
