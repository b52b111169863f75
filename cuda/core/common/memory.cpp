#include "cuda/core/common/memory.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "cuda/core/common/check.hpp"

namespace prophet::cuda {
namespace {

class Registry : public SpareMemory {
 public:
  int add(std::function<void()> release) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    releases_[next_] = std::move(release);
    return next_++;
  }
  void remove(int number) noexcept override {
    const std::lock_guard<std::mutex> lock(mutex_);
    releases_.erase(number);
  }
  void release() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [number, release] : releases_) release();
  }

 private:
  std::mutex mutex_;
  std::map<int, std::function<void()>> releases_;
  int next_ = 0;
};

SpareMemory*& current() {
  // Never destroyed: engines that live until the end of the process use it.
  static SpareMemory* memory = new Registry;
  return memory;
}

}  // namespace

SpareMemory& spareMemory() { return *current(); }
void useSpareMemory(SpareMemory& memory) { current() = &memory; }

void* takeDeviceMemory(std::size_t bytes) {
  void* block = nullptr;
  if (cudaMalloc(&block, bytes) == cudaSuccess) return block;
  cudaGetLastError();
  spareMemory().release();
  PROPHET_CUDA_CHECK(cudaMalloc(&block, bytes));
  return block;
}

std::size_t freeDeviceMemory(double wanted) {
  std::size_t left = 0, all = 0;
  PROPHET_CUDA_CHECK(cudaMemGetInfo(&left, &all));
  if (static_cast<double>(left) >= wanted) return left;
  spareMemory().release();
  PROPHET_CUDA_CHECK(cudaMemGetInfo(&left, &all));
  return left;
}

void* takePinnedMemory(std::size_t bytes) {
  void* block = nullptr;
  const cudaError_t status = cudaMallocHost(&block, bytes);
  if (status == cudaSuccess) return block;
  cudaGetLastError();
  throw CudaError(fmt::format("the system gives no {:.3g} MB of page-locked memory for copies to the GPU: {}",
                              1e-6 * static_cast<double>(bytes), cudaGetErrorString(status)));
}

}  // namespace prophet::cuda
