#pragma once
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cusolverDn.h>

#include "core/common/error.hpp"

namespace prophet::cuda {

/// What a failed call of the CUDA libraries throws; memory shortage is its own type, so that callers can cut
/// their work into smaller pieces.
class CudaError : public DeviceError {
 public:
  using DeviceError::DeviceError;
};
class OutOfDeviceMemory : public CudaError {
 public:
  using CudaError::CudaError;
};

namespace detail {
[[noreturn]] void fail(cudaError_t status, const char* call, const char* file, int line);
[[noreturn]] void fail(cublasStatus_t status, const char* call, const char* file, int line);
[[noreturn]] void fail(cusolverStatus_t status, const char* call, const char* file, int line);

inline bool ok(cudaError_t s) { return s == cudaSuccess; }
inline bool ok(cublasStatus_t s) { return s == CUBLAS_STATUS_SUCCESS; }
inline bool ok(cusolverStatus_t s) { return s == CUSOLVER_STATUS_SUCCESS; }

template <class Status>
void check(Status status, const char* call, const char* file, int line) {
  if (!ok(status)) fail(status, call, file, line);
}
}  // namespace detail
}  // namespace prophet::cuda

/// Wraps every call of the CUDA runtime, cuBLAS and cuSOLVER; throws CudaError with call, file, line and
/// error name.
#define PROPHET_CUDA_CHECK(call) ::prophet::cuda::detail::check((call), #call, __FILE__, __LINE__)
/// To follow each kernel launch: reports one that the runtime refused.
#define PROPHET_CUDA_CHECK_LAUNCH() PROPHET_CUDA_CHECK(cudaGetLastError())
