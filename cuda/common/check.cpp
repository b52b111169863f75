#include "cuda/common/check.hpp"

#include <fmt/format.h>

#include <cstring>

namespace prophet::cuda::detail {
namespace {

/// Path below the source folder: what a reader of an error message can look up.
const char* shortPath(const char* file) {
  const char* found = std::strstr(file, "/cuda/");
  return found ? found + 1 : file;
}

std::string message(const char* name, const char* text, const char* call, const char* file, int line) {
  return fmt::format("GPU call failed: {} ({}) in {} at {}:{}", name, text, call, shortPath(file), line);
}

}  // namespace

void fail(cudaError_t status, const char* call, const char* file, int line) {
  const std::string what = message(cudaGetErrorName(status), cudaGetErrorString(status), call, file, line);
  cudaGetLastError();  // a refused allocation is not sticky; later calls start clean
  if (status == cudaErrorMemoryAllocation) throw OutOfDeviceMemory(what);
  throw CudaError(what);
}

void fail(cublasStatus_t status, const char* call, const char* file, int line) {
  throw CudaError(message(cublasGetStatusName(status), cublasGetStatusString(status), call, file, line));
}

void fail(cusolverStatus_t status, const char* call, const char* file, int line) {
  const std::string name = fmt::format("cuSOLVER status {}", static_cast<int>(status));
  throw CudaError(message(name.c_str(), "see cusolverStatus_t", call, file, line));
}

}  // namespace prophet::cuda::detail
