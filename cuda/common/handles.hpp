#pragma once
#include <utility>

#include "cuda/common/check.hpp"

namespace prophet::cuda {

/// Move-only owner of a library handle with its maker and its end.
template <class Handle, auto Destroy>
class Owner {
 public:
  explicit Owner(Handle handle) : handle_(handle) {}
  ~Owner() {
    if (handle_) Destroy(handle_);
  }
  Owner(Owner&& o) noexcept : handle_(std::exchange(o.handle_, nullptr)) {}
  Owner& operator=(Owner&& o) noexcept {
    std::swap(handle_, o.handle_);
    return *this;
  }
  Handle get() const { return handle_; }

 private:
  Handle handle_;
};

class Stream : public Owner<cudaStream_t, cudaStreamDestroy> {
 public:
  Stream() : Owner(make()) {}
  void synchronize() const { PROPHET_CUDA_CHECK(cudaStreamSynchronize(get())); }

 private:
  static cudaStream_t make() {
    cudaStream_t stream = nullptr;
    PROPHET_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
  }
};

class Event : public Owner<cudaEvent_t, cudaEventDestroy> {
 public:
  Event() : Owner(make()) {}
  void record(cudaStream_t stream) const { PROPHET_CUDA_CHECK(cudaEventRecord(get(), stream)); }
  /// Seconds from `begin` to this one; waits for this one.
  double secondsSince(const Event& begin) const {
    float milliseconds = 0.0f;
    PROPHET_CUDA_CHECK(cudaEventSynchronize(get()));
    PROPHET_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin.get(), get()));
    return 1e-3 * milliseconds;
  }

 private:
  static cudaEvent_t make() {
    cudaEvent_t event = nullptr;
    PROPHET_CUDA_CHECK(cudaEventCreate(&event));
    return event;
  }
};

class BlasHandle : public Owner<cublasHandle_t, cublasDestroy> {
 public:
  explicit BlasHandle(cudaStream_t stream) : Owner(make()) {
    PROPHET_CUDA_CHECK(cublasSetStream(get(), stream));
  }

 private:
  static cublasHandle_t make() {
    cublasHandle_t handle = nullptr;
    PROPHET_CUDA_CHECK(cublasCreate(&handle));
    return handle;
  }
};

class SolverHandle : public Owner<cusolverDnHandle_t, cusolverDnDestroy> {
 public:
  explicit SolverHandle(cudaStream_t stream) : Owner(make()) {
    PROPHET_CUDA_CHECK(cusolverDnSetStream(get(), stream));
  }

 private:
  static cusolverDnHandle_t make() {
    cusolverDnHandle_t handle = nullptr;
    PROPHET_CUDA_CHECK(cusolverDnCreate(&handle));
    return handle;
  }
};

}  // namespace prophet::cuda
