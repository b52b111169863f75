#pragma once
#include <string>
#include <vector>

namespace prophet::cuda {

/// The numbers of GPUs as they are, or all that this build can use where there are none. Throws CudaError for
/// one that is not there or cannot be used, or where there is none (refusal in device_facts.hpp).
std::vector<int> checkedDevices(std::vector<int> devices);

/// "NVIDIA H200", "2 x NVIDIA H200".
std::string nameOf(const std::vector<int>& devices);

}  // namespace prophet::cuda
