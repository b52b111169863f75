#pragma once
#include <utility>
#include <vector>

#include "cuda/core/common/check.hpp"

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

/// Which stream's kernels a busy device begins first.
enum class Priority { Usual, High };

class Stream : public Owner<cudaStream_t, cudaStreamDestroy> {
 public:
  explicit Stream(Priority priority = Priority::Usual) : Owner(make(priority)) {}
  void synchronize() const { PROPHET_CUDA_CHECK(cudaStreamSynchronize(get())); }

 private:
  static cudaStream_t make(Priority priority) {
    cudaStream_t stream = nullptr;
    int least = 0, greatest = 0;
    if (priority == Priority::High) PROPHET_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    PROPHET_CUDA_CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
    return stream;
  }
};

class Event : public Owner<cudaEvent_t, cudaEventDestroy> {
 public:
  /// `flags`: cudaEventDisableTiming for events that only order streams.
  explicit Event(unsigned flags = cudaEventDefault) : Owner(make(flags)) {}
  void record(cudaStream_t stream) const { PROPHET_CUDA_CHECK(cudaEventRecord(get(), stream)); }
  /// Seconds from `begin` to this one; waits for this one.
  double secondsSince(const Event& begin) const {
    float milliseconds = 0.0f;
    PROPHET_CUDA_CHECK(cudaEventSynchronize(get()));
    PROPHET_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin.get(), get()));
    return 1e-3 * milliseconds;
  }

 private:
  static cudaEvent_t make(unsigned flags) {
    cudaEvent_t event = nullptr;
    PROPHET_CUDA_CHECK(cudaEventCreateWithFlags(&event, flags));
    return event;
  }
};

/// Streams beside a main one, for kernels that need not wait for each other.
class SideStreams {
 public:
  explicit SideStreams(int count) : streams_(count), forked_(cudaEventDisableTiming) {
    for (int i = 0; i < count; ++i) joined_.emplace_back(cudaEventDisableTiming);
  }
  cudaStream_t operator[](int i) const { return streams_[i].get(); }
  /// The first `count` streams wait for what the main one has to do so far.
  void fork(cudaStream_t main, int count) const {
    forked_.record(main);
    for (int i = 0; i < count; ++i) PROPHET_CUDA_CHECK(cudaStreamWaitEvent(streams_[i].get(), forked_.get()));
  }
  /// The main one waits for the first `count`.
  void join(cudaStream_t main, int count) const {
    for (int i = 0; i < count; ++i) {
      joined_[i].record(streams_[i].get());
      PROPHET_CUDA_CHECK(cudaStreamWaitEvent(main, joined_[i].get()));
    }
  }

 private:
  std::vector<Stream> streams_;
  Event forked_;
  std::vector<Event> joined_;
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

class SolverParameters : public Owner<cusolverDnParams_t, cusolverDnDestroyParams> {
 public:
  SolverParameters() : Owner(make()) {}

 private:
  static cusolverDnParams_t make() {
    cusolverDnParams_t parameters = nullptr;
    PROPHET_CUDA_CHECK(cusolverDnCreateParams(&parameters));
    return parameters;
  }
};

}  // namespace prophet::cuda
