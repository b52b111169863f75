#pragma once
#include <memory>
#include <string>

#include "operations/backend/cuda_plugin.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {

/// Decides where one calculation runs and notes in the job's `choices` what the user left open. Stored
/// integrals go to GPU number `device` where there is one; the grid, which needs a few milliseconds, and
/// everything that only the CPU has stay here, and no GPU library is loaded for them. Returns the GPU, or
/// nullptr for the CPU. Throws Error if `request` is Cuda and there is no GPU or it lacks the
/// Hamiltonian. `cudaLibrary`: as for openCudaBackend.
std::unique_ptr<CudaBackend> chooseBackend(ResolvedJob& job, BackendRequest request, int device = 0,
                                           const std::string& cudaLibrary = "");

}  // namespace prophet
