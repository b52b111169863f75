#include "cuda/core/common/device_pool.hpp"

#include <cstdint>

namespace prophet::cuda {

DevicePool::DevicePool(cudaStream_t stream) : stream_(stream) {
  int device = 0, supported = 0;
  PROPHET_CUDA_CHECK(cudaGetDevice(&device));
  PROPHET_CUDA_CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device));
  if (!supported) return;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  PROPHET_CUDA_CHECK(cudaMemPoolCreate(&pool_, &properties));
  std::uint64_t keepAll = UINT64_MAX;
  PROPHET_CUDA_CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keepAll));
  spare_.emplace([pool = pool_] { cudaMemPoolTrimTo(pool, 0); });
}

DevicePool::~DevicePool() {
  spare_.reset();
  if (pool_) cudaMemPoolDestroy(pool_);
}

void* DevicePool::take(std::size_t bytes) const {
  if (!pool_) return takeDeviceMemory(bytes);
  void* block = nullptr;
  if (cudaMallocFromPoolAsync(&block, bytes, pool_, stream_) == cudaSuccess) return block;
  cudaGetLastError();
  spareMemory().release();
  PROPHET_CUDA_CHECK(cudaMallocFromPoolAsync(&block, bytes, pool_, stream_));
  return block;
}

void DevicePool::give(void* block) const noexcept {
  if (pool_) {
    cudaFreeAsync(block, stream_);
  } else {
    cudaFree(block);
  }
}

std::size_t DevicePool::unused() const {
  if (!pool_) return 0;
  std::uint64_t reserved = 0, used = 0;
  PROPHET_CUDA_CHECK(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrReservedMemCurrent, &reserved));
  PROPHET_CUDA_CHECK(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &used));
  return static_cast<std::size_t>(reserved - used);
}

}  // namespace prophet::cuda
