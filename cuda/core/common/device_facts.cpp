#include "cuda/core/common/device_facts.hpp"

#include <fmt/format.h>

namespace prophet::cuda {
namespace {

std::string versionText(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

}  // namespace

DeviceFacts factsOf(int device) {
  DeviceFacts facts;
  facts.device = device;
  facts.status = cudaGetDeviceCount(&facts.count);
  cudaDriverGetVersion(&facts.driverVersion);
  cudaRuntimeGetVersion(&facts.runtimeVersion);
  if (facts.status == cudaSuccess && device >= 0 && device < facts.count) {
    cudaDeviceProp properties{};
    facts.status = cudaGetDeviceProperties(&properties, device);
    facts.name = properties.name;
    facts.major = properties.major;
    facts.minor = properties.minor;
    facts.hasKernels = hasKernelsFor(device);
  }
  cudaGetLastError();
  return facts;
}

std::string refusal(const DeviceFacts& f) {
  if (f.status == cudaErrorInsufficientDriver) {
    if (f.driverVersion == 0) return "no NVIDIA driver";
    return fmt::format(
        "the NVIDIA driver has CUDA {} and this build needs {}: update the driver, or build with an older "
        "CUDA Toolkit",
        versionText(f.driverVersion), versionText(f.runtimeVersion));
  }
  if (f.status == cudaErrorNoDevice || (f.status == cudaSuccess && f.count == 0))
    return "no NVIDIA GPU in this machine";
  if (f.status != cudaSuccess) return fmt::format("the GPU driver answers: {}", cudaGetErrorString(f.status));
  if (f.device < 0 || f.device >= f.count) {
    return fmt::format("there is no GPU number {}; this machine has {} (0 to {})", f.device, f.count,
                       f.count - 1);
  }
  if (!f.hasKernels) {
    return fmt::format(
        "GPU {} ({}) has compute capability {}.{}, for which this build has no code: configure with "
        "-DCMAKE_CUDA_ARCHITECTURES={}{} where the CUDA Toolkit knows it (7.5 is the least)",
        f.device, f.name, f.major, f.minor, f.major, f.minor);
  }
  return {};
}

}  // namespace prophet::cuda
