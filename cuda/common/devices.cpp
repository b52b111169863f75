#include "cuda/common/devices.hpp"

#include <fmt/format.h>

#include "cuda/common/check.hpp"

namespace prophet::cuda {

std::vector<int> checkedDevices(std::vector<int> devices) {
  int count = 0;
  PROPHET_CUDA_CHECK(cudaGetDeviceCount(&count));
  if (devices.empty()) {
    for (int i = 0; i < count; ++i) devices.push_back(i);
  }
  for (const int device : devices) {
    if (device < 0 || device >= count)
      throw Error(fmt::format("there is no GPU number {}; this machine has {}", device, count));
  }
  return devices;
}

std::string nameOf(const std::vector<int>& devices) {
  cudaDeviceProp properties;
  PROPHET_CUDA_CHECK(cudaGetDeviceProperties(&properties, devices.front()));
  return devices.size() == 1 ? properties.name : fmt::format("{} x {}", devices.size(), properties.name);
}

}  // namespace prophet::cuda
