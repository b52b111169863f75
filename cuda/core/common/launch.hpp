#pragma once
#include <algorithm>
#include <cstdint>

#include "cuda/core/common/check.hpp"

namespace prophet::cuda {

/// An attribute of the current device.
inline int deviceAttribute(cudaDeviceAttr attribute) {
  int device = 0, value = 0;
  PROPHET_CUDA_CHECK(cudaGetDevice(&device));
  PROPHET_CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}

/// Blocks of a kernel that the current device runs at once.
template <class... Arguments>
int residentBlocks(void (*kernel)(Arguments...), int threads, std::size_t dynamicShared = 0) {
  int blocks = 0;
  PROPHET_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, reinterpret_cast<const void*>(kernel), threads, dynamicShared));
  return std::max(1, blocks) * deviceAttribute(cudaDevAttrMultiProcessorCount);
}

/// Blocks for a grid-stride loop over `count` items: a few times as many as the current device can run at
/// once, so that uneven items even out, but not one block for every few items.
inline int gridFor(std::int64_t count, int threads) {
  constexpr std::int64_t kRounds = 16;
  const std::int64_t atOnce = deviceAttribute(cudaDevAttrMultiProcessorCount) *
                              std::max(1, deviceAttribute(cudaDevAttrMaxThreadsPerMultiProcessor) / threads);
  return static_cast<int>(std::min((count + threads - 1) / threads, kRounds * atOnce));
}

}  // namespace prophet::cuda
