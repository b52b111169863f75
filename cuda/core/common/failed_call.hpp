#pragma once
#include <string>

namespace prophet::cuda::detail {

/// What errors of failed calls of CUDA's libraries say: name and text of the status, the call and its place.
std::string failedCall(const char* name, const char* text, const char* call, const char* file, int line);

}  // namespace prophet::cuda::detail
