#pragma once
#include <cstddef>
#include <optional>

#include "cuda/core/common/check.hpp"
#include "cuda/core/common/memory.hpp"

namespace prophet::cuda {

/// Device memory that is kept between uses: what is given back is given out again without asking the driver,
/// which would wait for the device and take milliseconds for gigabytes. Ordered by one stream: a block that
/// other streams use must not be given back before they have finished with it. What is not in use goes back
/// to the driver where others have too little (SpareMemory). Where the driver has no memory pools (some
/// virtual GPUs) every block is allocated and freed.
class DevicePool {
 public:
  /// For the current device. `stream` outlives the pool.
  explicit DevicePool(cudaStream_t stream);
  ~DevicePool();
  DevicePool(const DevicePool&) = delete;
  DevicePool& operator=(const DevicePool&) = delete;

  /// Throws OutOfDeviceMemory. The block is usable by what is queued on the stream from now on.
  void* take(std::size_t bytes) const;
  void give(void* block) const noexcept;
  /// Bytes that are kept and not in use.
  std::size_t unused() const;
  cudaStream_t stream() const { return stream_; }

 private:
  cudaStream_t stream_;
  cudaMemPool_t pool_ = nullptr;
  std::optional<SpareShare> spare_;
};

}  // namespace prophet::cuda
