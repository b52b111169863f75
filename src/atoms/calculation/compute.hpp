#pragma once
#include <functional>

#include "atoms/calculation/calculation.hpp"
#include "atoms/calculation/result.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet {

/// What a calculation may use.
struct Resources {
  int threads = 1;
  StoredSolver* gpu = nullptr;  ///< for stored integrals; nullptr: the host
  Checkpoint checkpoint{};      ///< called first and after each iteration, in the calling thread
  std::function<void(const LimitStep&)> limitObserver{};  ///< called after each iteration of a limit
  /// Whether the host takes over where the GPU fails (a DeviceError), with a warning, as the user left the
  /// choice to the program.
  bool hostIfGpuFails = false;
};

/// The energy of one calculation, by the grid, stored integrals or the numerical limit, with all that its
/// Hamiltonian asks for. `observer`: called after each iteration of an SCF in a basis set.
///
/// A field that does not converge comes back with Status::NotConverged; what cannot be computed at all throws
/// Error.
Result compute(const Calculation& calculation, const Resources& resources = {},
               const ScfObserver& observer = {});

/// The same without exceptions: what goes wrong is a result with Status::Failed and the reason.
Result computeOrReason(const Calculation& calculation, const Resources& resources = {}) noexcept;

/// What --verify-grid finds: the same energy (with its corrections) on a finer grid and with analytic
/// integrals, hartree.
struct GridCheck {
  RadialGrid grid, finerGrid;
  double energy = 0, finerEnergy = 0;
  std::optional<double> analyticEnergy;  ///< empty if there are none
  std::string whyNotAnalytic;            ///< then the reason
};

/// Repeats a calculation with the grid builder, the grid builder at 2/3 of its spacing, and stored integrals.
GridCheck verifyGrid(const Calculation& calculation, int threads);

}  // namespace prophet
