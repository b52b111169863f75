#include "cuda/core/common/devices.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cuda/core/common/check.hpp"
#include "cuda/core/common/device_facts.hpp"

namespace prophet::cuda {

std::vector<int> checkedDevices(std::vector<int> devices) {
  const bool all = devices.empty();
  if (all) {
    for (int i = 0; i < std::max(1, factsOf(0).count); ++i) devices.push_back(i);
  }
  std::vector<int> usable;
  std::string problem;
  for (const int device : devices) {
    const std::string why = refusal(factsOf(device));
    if (why.empty()) usable.push_back(device);
    if (problem.empty()) problem = why;
  }
  if (usable.empty() || (!all && !problem.empty())) throw CudaError(problem);
  return usable;
}

std::string nameOf(const std::vector<int>& devices) {
  cudaDeviceProp properties;
  PROPHET_CUDA_CHECK(cudaGetDeviceProperties(&properties, devices.front()));
  return devices.size() == 1 ? properties.name : fmt::format("{} x {}", devices.size(), properties.name);
}

}  // namespace prophet::cuda
