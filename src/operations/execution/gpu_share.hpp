#pragma once
#include <memory>
#include <string>
#include <vector>

#include "operations/backend/cuda_plugin.hpp"
#include "operations/execution/rank_place.hpp"

namespace prophet {

/// The GPUs of this rank, or why there are none.
struct GpuShare {
  std::unique_ptr<CudaBackend> cuda;
  std::vector<int> devices;
  std::string reason;  ///< where `cuda` is empty
};

/// Opens this rank's part of the GPUs of `named` (numbers; empty: of all that are visible) with the CUDA
/// library of the file `cudaLibrary`, as for openCudaBackend. Never throws.
GpuShare openGpuShare(const std::vector<int>& named, const RankPlace& place, const std::string& cudaLibrary);

}  // namespace prophet
