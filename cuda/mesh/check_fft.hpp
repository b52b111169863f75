#pragma once
#include <cufft.h>
#include <fmt/format.h>

#include "cuda/common/check.hpp"

namespace prophet::cuda {

inline void checkFft(cufftResult status, const char* what) {
  if (status != CUFFT_SUCCESS)
    throw CudaError(fmt::format("GPU call failed: cuFFT status {} in {}", static_cast<int>(status), what));
}

/// Owner of a plan on a stream.
class FftPlan {
 public:
  FftPlan(const int (&n)[3], cufftType type, cudaStream_t stream) {
    checkFft(cufftPlan3d(&plan_, n[0], n[1], n[2], type), "cufftPlan3d");
    checkFft(cufftSetStream(plan_, stream), "cufftSetStream");
  }
  ~FftPlan() { cufftDestroy(plan_); }
  FftPlan(const FftPlan&) = delete;
  FftPlan& operator=(const FftPlan&) = delete;
  cufftHandle get() const { return plan_; }

 private:
  cufftHandle plan_ = 0;
};

}  // namespace prophet::cuda
