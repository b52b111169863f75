#pragma once
#include <functional>
#include <optional>

#include "atoms/calculation/calculation.hpp"

namespace prophet {

/// A GPU is worth its start (driver, library, memory) for a batch that would keep the processor's threads
/// busy for longer than this many seconds. Measured with tools/gpu-node-batch: a GPU is as fast as the CPU
/// where the threads take 0.55 s (16 processors, one H200: start of the GPU 0.38 s) and 1.5 s (64 processors,
/// four H200: start 1.24 s).
constexpr double kGpuPaysAfter = 0.7;

/// Rough seconds that one processor core takes for a calculation (a factor of 1.5 either way between
/// elements): set-up and iterations together grow like the number of functions to the power 1.5.
double hostSeconds(const Calculation& calculation);

/// Whether jobs are worth a GPU against this many threads of the processor; those that a GPU
/// leaves to the processor for their Hamiltonian or their contracted functions do not count. `load`: a job's
/// calculation, empty if it has none; called for the jobs in turn until that is clear.
bool worthAGpu(std::size_t jobs, int threads,
               const std::function<std::optional<Calculation>(std::size_t)>& load);

}  // namespace prophet
