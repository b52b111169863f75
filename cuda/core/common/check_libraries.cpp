#include <fmt/format.h>

#include "cuda/core/common/check.hpp"
#include "cuda/core/common/failed_call.hpp"

/// Apart from check.cpp, so that what uses no cuBLAS and cuSOLVER need not load them.
namespace prophet::cuda::detail {

void fail(cublasStatus_t status, const char* call, const char* file, int line) {
  const auto what = failedCall(cublasGetStatusName(status), cublasGetStatusString(status), call, file, line);
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw OutOfDeviceMemory(what);
  throw CudaError(what);
}

void fail(cusolverStatus_t status, const char* call, const char* file, int line) {
  const std::string name = fmt::format("cuSOLVER status {}", static_cast<int>(status));
  const auto what = failedCall(name.c_str(), "see cusolverStatus_t", call, file, line);
  if (status == CUSOLVER_STATUS_ALLOC_FAILED) throw OutOfDeviceMemory(what);
  throw CudaError(what);
}

}  // namespace prophet::cuda::detail
