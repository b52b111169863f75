#pragma once
#include <cufft.h>

#include <string>

#include "cuda/core/common/check.hpp"
#include "cuda/core/common/memory.hpp"

namespace prophet::cuda {

inline void checkFft(cufftResult status, const char* what) {
  if (status == CUFFT_SUCCESS) return;
  // Not by fmt, whose checks at compile time nvcc cannot follow.
  const std::string text =
      std::string("GPU call failed: cuFFT status ") + std::to_string(status) + " in " + what;
  if (status == CUFFT_ALLOC_FAILED) throw OutOfDeviceMemory(text);
  throw CudaError(text);
}

/// Owner of a plan on a stream.
class FftPlan {
 public:
  FftPlan(const int (&n)[3], cufftType type, cudaStream_t stream) : plan_(n, type) {
    checkFft(cufftSetStream(plan_.handle, stream), "cufftSetStream");
  }
  /// Without memory of its own: before each use cufftSetWorkArea gives it `bytes`.
  FftPlan(const int (&n)[3], cufftType type, cudaStream_t stream, std::size_t& bytes)
      : plan_(n, type, bytes) {
    checkFft(cufftSetStream(plan_.handle, stream), "cufftSetStream");
  }
  cufftHandle get() const { return plan_.handle; }

 private:
  struct Handle {
    Handle(const int (&n)[3], cufftType type, std::size_t& bytes) {
      checkFft(cufftCreate(&handle), "cufftCreate");
      cufftResult status = cufftSetAutoAllocation(handle, 0);
      if (status == CUFFT_SUCCESS) status = cufftMakePlan3d(handle, n[0], n[1], n[2], type, &bytes);
      if (status != CUFFT_SUCCESS) cufftDestroy(handle);
      checkFft(status, "cufftMakePlan3d");
    }
    Handle(const int (&n)[3], cufftType type) {
      cufftResult status = cufftPlan3d(&handle, n[0], n[1], n[2], type);
      if (status == CUFFT_ALLOC_FAILED) {
        spareMemory().release();
        status = cufftPlan3d(&handle, n[0], n[1], n[2], type);
      }
      checkFft(status, "cufftPlan3d");
    }
    ~Handle() { cufftDestroy(handle); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    cufftHandle handle = 0;
  } plan_;
};

}  // namespace prophet::cuda
