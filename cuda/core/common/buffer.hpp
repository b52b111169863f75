#pragma once
#include <cstddef>
#include <utility>
#include <vector>

#include "cuda/core/common/device_pool.hpp"
#include "cuda/core/common/memory.hpp"

namespace prophet::cuda {

/// Owner of `size` values in device memory, of its own or of a pool (which outlives it). Contents are
/// undefined until written.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t size) : size_(size) {
    if (size > 0) data_ = static_cast<T*>(takeDeviceMemory(size * sizeof(T)));
  }
  DeviceBuffer(std::size_t size, const DevicePool& pool) : size_(size), pool_(&pool) {
    if (size > 0) data_ = static_cast<T*>(pool.take(size * sizeof(T)));
  }
  /// Allocates and copies. The copy is complete on return for every stream: cudaMemcpy alone may return with
  /// the last piece still on its way, and non-blocking streams do not wait for it.
  explicit DeviceBuffer(const std::vector<T>& values) : DeviceBuffer(values.size()) {
    if (size_ == 0) return;
    PROPHET_CUDA_CHECK(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    PROPHET_CUDA_CHECK(cudaStreamSynchronize(cudaStreamLegacy));
  }
  ~DeviceBuffer() {
    if (!pool_) {
      cudaFree(data_);
    } else if (data_) {
      pool_->give(data_);
    }
  }
  DeviceBuffer(DeviceBuffer&& o) noexcept
      : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)), pool_(o.pool_) {}
  DeviceBuffer& operator=(DeviceBuffer&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    std::swap(pool_, o.pool_);
    return *this;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  void upload(const T* source, std::size_t count, cudaStream_t stream) {
    PROPHET_CUDA_CHECK(cudaMemcpyAsync(data_, source, count * sizeof(T), cudaMemcpyHostToDevice, stream));
  }
  /// Every byte becomes `byte`: 0 clears, 0xff makes every double a not-a-number.
  void fill(int byte, cudaStream_t stream) {
    if (size_ > 0) PROPHET_CUDA_CHECK(cudaMemsetAsync(data_, byte, size_ * sizeof(T), stream));
  }
  /// Copy on the host, after everything queued on `stream`.
  std::vector<T> download(cudaStream_t stream) const {
    std::vector<T> values(size_);
    if (size_ > 0) {
      PROPHET_CUDA_CHECK(
          cudaMemcpyAsync(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost, stream));
      PROPHET_CUDA_CHECK(cudaStreamSynchronize(stream));
    }
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  const DevicePool* pool_ = nullptr;
};

/// Owner of page-locked host memory, for copies that run beside kernels.
template <class T>
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  explicit PinnedBuffer(std::size_t size) : size_(size) {
    if (size > 0) data_ = static_cast<T*>(takePinnedMemory(size * sizeof(T)));
  }
  ~PinnedBuffer() { cudaFreeHost(data_); }
  PinnedBuffer(PinnedBuffer&& o) noexcept
      : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  PinnedBuffer& operator=(PinnedBuffer&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    return *this;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace prophet::cuda
