#pragma once
#include <string>
#include <vector>

namespace prophet::cuda {

/// The numbers of GPUs as they are, or all that are visible where there are none. Throws Error for one that
/// is not there.
std::vector<int> checkedDevices(std::vector<int> devices);

/// "NVIDIA H200", "2 x NVIDIA H200".
std::string nameOf(const std::vector<int>& devices);

}  // namespace prophet::cuda
