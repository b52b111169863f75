#pragma once
#include <cstddef>
#include <functional>

namespace prophet::cuda {

/// Device memory that engines keep for their next work: where another one has too little, all give back what
/// they do not use. Thread-safe; one for the process, whatever libraries the engines are in.
class SpareMemory {
 public:
  virtual ~SpareMemory() = default;
  /// `release` may be called from any thread until remove() returns; it takes no device memory.
  virtual int add(std::function<void()> release) = 0;
  virtual void remove(int number) noexcept = 0;
  virtual void release() = 0;
};

SpareMemory& spareMemory();
/// From now on spareMemory() is this one, which outlives the process' use of the GPU: a library with engines
/// is told that of the library that opened it, before it makes any.
void useSpareMemory(SpareMemory& memory);

/// What one owner keeps; said to be there as long as this lives.
class SpareShare {
 public:
  explicit SpareShare(std::function<void()> release)
      : memory_(spareMemory()), number_(memory_.add(std::move(release))) {}
  ~SpareShare() { memory_.remove(number_); }
  SpareShare(const SpareShare&) = delete;
  SpareShare& operator=(const SpareShare&) = delete;

 private:
  SpareMemory& memory_;
  int number_;
};

/// `bytes` of the current device's memory; where there is too little, others give back first what they keep.
/// Throws OutOfDeviceMemory.
void* takeDeviceMemory(std::size_t bytes);
/// Bytes that the current device has left; where they are fewer than `wanted`, others give back first.
std::size_t freeDeviceMemory(double wanted);
/// Page-locked host memory. Throws CudaError: fewer bytes on the device would not help.
void* takePinnedMemory(std::size_t bytes);

}  // namespace prophet::cuda
