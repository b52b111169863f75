#pragma once
#include <algorithm>
#include <cstring>
#include <vector>

#include "cuda/core/common/buffer.hpp"
#include "cuda/core/common/handles.hpp"

namespace prophet::cuda {

/// Device memory and page-locked room for uploads that calculations of one device share, one after the other.
class Workspace {
 public:
  explicit Workspace(const Stream& stream) : pool_(stream.get()) {}

  template <class T>
  DeviceBuffer<T> make(std::size_t size) const {
    return DeviceBuffer<T>(size, pool_);
  }
  /// Copies values to the device; the copy is queued on the stream and `values` may change at once.
  template <class T>
  DeviceBuffer<T> upload(const std::vector<T>& values) {
    DeviceBuffer<T> buffer = make<T>(values.size());
    if (values.empty()) return buffer;
    char* staged = stage(values.size() * sizeof(T));
    std::memcpy(staged, values.data(), values.size() * sizeof(T));
    buffer.upload(reinterpret_cast<const T*>(staged), values.size(), pool_.stream());
    return buffer;
  }
  /// All uploads have been done: their room can be used again.
  void recycle() {
    if (chunks_.size() > 1) chunks_.erase(chunks_.begin(), chunks_.end() - 1);
    used_ = 0;
  }
  const DevicePool& pool() const { return pool_; }
  cudaStream_t stream() const { return pool_.stream(); }

 private:
  /// Room for that many bytes until recycle(); chunks grow, so that the last one is soon enough for all.
  char* stage(std::size_t bytes) {
    constexpr std::size_t kAlignment = 256, kSmallest = 1 << 20;
    if (chunks_.empty() || used_ + bytes > chunks_.back().size()) {
      const std::size_t twice = chunks_.empty() ? kSmallest : 2 * chunks_.back().size();
      chunks_.emplace_back(std::max(twice, bytes));
      used_ = 0;
    }
    char* start = chunks_.back().data() + used_;
    used_ = std::min((used_ + bytes + kAlignment - 1) / kAlignment * kAlignment, chunks_.back().size());
    return start;
  }

  DevicePool pool_;
  std::vector<PinnedBuffer<char>> chunks_;
  std::size_t used_ = 0;
};

}  // namespace prophet::cuda
