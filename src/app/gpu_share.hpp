#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/rank_place.hpp"
#include "backend/cuda_plugin.hpp"

namespace prophet {

/// The GPUs of this rank, or why there are none.
struct GpuShare {
  std::unique_ptr<CudaBackend> cuda;
  std::vector<int> devices;
  std::string reason;  ///< where `cuda` is empty
};

/// Opens this rank's part of the GPUs of `named` (numbers; empty: of all that are visible). Never throws.
GpuShare openGpuShare(const std::vector<int>& named, const RankPlace& place);

}  // namespace prophet
