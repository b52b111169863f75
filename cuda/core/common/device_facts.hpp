#pragma once
#include <cuda_runtime_api.h>

#include <string>

namespace prophet::cuda {

/// What decides whether this build can use a GPU.
struct DeviceFacts {
  cudaError_t status = cudaSuccess;  ///< of asking for the number of GPUs
  int driverVersion = 0;             ///< newest CUDA that the driver has, 1000 major + 10 minor
  int runtimeVersion = 0;            ///< CUDA of this build, likewise
  int device = 0, count = 0;
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  bool hasKernels = false;   ///< whether this build has code for it
};

/// Whether this build has code for GPU number `device`; makes it the calling thread's.
bool hasKernelsFor(int device);

/// Facts of GPU number `device`. Does not throw.
DeviceFacts factsOf(int device);

/// Why that GPU cannot be used, one sentence with what the user can do; empty if it can.
std::string refusal(const DeviceFacts& facts);

}  // namespace prophet::cuda
