#pragma once
#include "cuda/core/common/check.hpp"

namespace prophet::cuda::batch {

/// Lets a kernel use `bytes` of dynamic shared memory, where that is more than every kernel may. What is
/// asked for is always all that the device has: the limit belongs to the kernel, not to a launch, and other
/// batches launch the same kernels from other threads.
template <class Kernel>
void allowSharedMemory(Kernel kernel, int bytes) {
  constexpr int kAlwaysAllowed = 46 * 1024;  // 48 KB less what kernels declare themselves
  if (bytes <= kAlwaysAllowed) return;
  int device = 0, limit = 0;
  cudaFuncAttributes attributes{};
  PROPHET_CUDA_CHECK(cudaGetDevice(&device));
  PROPHET_CUDA_CHECK(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  PROPHET_CUDA_CHECK(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)));
  PROPHET_CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                          cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          limit - static_cast<int>(attributes.sharedSizeBytes)));
}

}  // namespace prophet::cuda::batch
