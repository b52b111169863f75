#pragma once
#include <functional>
#include <optional>

#include "service/energy_service.hpp"

namespace prophet {

/// A GPU is worth its start (driver, library, memory: some tenths of a second) for a batch that would keep
/// the processor's threads busy for longer than this many seconds. Where a GPU draws level was measured with
/// tools/gpu-node-batch; docs/performance-batches.md has the figures.
constexpr double kGpuPaysAfter = 0.7;

/// Rough seconds that one processor core takes for a request (a factor of 1.5 either way between elements):
/// set-up and iterations together grow like the number of functions to the power 1.5.
double hostSeconds(const EnergyRequest& request);

/// Whether jobs are worth a GPU against this many threads of the processor. `load`: a job's request, empty
/// where it has none; called for the jobs in turn until that is clear.
bool worthAGpu(std::size_t jobs, int threads,
               const std::function<std::optional<EnergyRequest>(std::size_t)>& load);

}  // namespace prophet
