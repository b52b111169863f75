#pragma once
#include <optional>
#include <string>
#include <vector>

#include "atoms/service/energy_service.hpp"
#include "cuda/atoms/batch/nuclear_table.hpp"
#include "cuda/atoms/batch/qed_view.hpp"
#include "cuda/atoms/batch/view.hpp"

namespace prophet::cuda::batch {

/// What the calculations of one batch have in common.
struct BatchShape {
  Shape arrays;
  QedShape qed;
};

/// Shape of a calculation's arrays, and where its own grid starts (bohr).
struct Placement {
  BatchShape shape;
  double firstRadius;
};

/// How a calculation fits on the device; empty if the batched kernels do not cover it (`why` says so)
/// and the host must do it. It follows from the calculation alone, so that no digit depends on what shares
/// its batch. `sharedBytes`: shared memory that a block may use.
std::optional<Placement> placementOf(const Calculation& calculation, int sharedBytes, std::string& why);

/// Equal for equal shapes: a key for grouping.
std::string keyOf(const BatchShape& shape);

/// Exponents beside which a Fock matrix loses digits in a plain factorisation (needsGradedSolution): not for
/// the device.
constexpr double kTightest = 1e15;

/// Writes a calculation's input (shape.inputSize doubles), but for the start. `table` serves one nucleus
/// after the other.
void packInput(const Calculation& calculation, const Shape& shape, double firstRadius, NuclearTable& table,
               double* input);

/// Adds the spinors that the calculation starts from to its packed input; false, and nothing is written,
/// where it has none or they do not fit the shape.
bool packStart(const Calculation& calculation, const Shape& shape, double* input);

/// View::kernels: exchange kernels of all pairs of symmetries (b <= a) unless there is a functional, the
/// Coulomb kernel, and Breit kernels where the shape has them; 2 points - 1 each.
std::vector<double> kernelTable(const Shape& shape);

}  // namespace prophet::cuda::batch
