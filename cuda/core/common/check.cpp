#include "cuda/core/common/check.hpp"

#include <fmt/format.h>

#include <cstring>

#include "cuda/core/common/failed_call.hpp"

namespace prophet::cuda::detail {
namespace {

/// Path below the source folder: what a reader of an error message can look up.
const char* shortPath(const char* file) {
  const char* found = std::strstr(file, "/cuda/");
  return found ? found + 1 : file;
}

}  // namespace

std::string failedCall(const char* name, const char* text, const char* call, const char* file, int line) {
  return fmt::format("GPU call failed: {} ({}) in {} at {}:{}", name, text, call, shortPath(file), line);
}

void fail(cudaError_t status, const char* call, const char* file, int line) {
  const std::string what = failedCall(cudaGetErrorName(status), cudaGetErrorString(status), call, file, line);
  cudaGetLastError();  // a refused allocation is not sticky; later calls start clean
  if (status == cudaErrorMemoryAllocation) throw OutOfDeviceMemory(what);
  throw CudaError(what);
}

}  // namespace prophet::cuda::detail
