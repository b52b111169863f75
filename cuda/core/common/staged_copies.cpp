#include "cuda/core/common/staged_copies.hpp"

#include <algorithm>
#include <cstring>

namespace prophet::cuda {
namespace {

// A large page: threads that touch memory first do not meet in one.
constexpr std::size_t kShare = std::size_t{2} << 20;

}  // namespace

void StagedCopies::move(char* to, const char* from, std::size_t bytes) {
  pool_.forEach(static_cast<int>((bytes + kShare - 1) / kShare), [&](int i, int) {
    const std::size_t first = static_cast<std::size_t>(i) * kShare;
    std::memcpy(to + first, from + first, std::min(kShare, bytes - first));
  });
}

void StagedCopies::settle(Slot& slot) {
  if (slot.bytes == 0) return;
  PROPHET_CUDA_CHECK(cudaEventSynchronize(slot.arrived.get()));
  if (slot.target) move(slot.target, slot.buffer.data(), slot.bytes);
  slot.bytes = 0;
  slot.target = nullptr;
}

StagedCopies::Slot& StagedCopies::next() {
  if (slots_.size() < kSlots) {
    slots_.emplace_back();
    at_ = slots_.size() - 1;
  } else {
    at_ = (at_ + 1) % kSlots;
  }
  settle(slots_[at_]);
  return slots_[at_];
}

void StagedCopies::upload(void* device, const void* host, std::size_t bytes, cudaStream_t stream) {
  for (std::size_t first = 0; first < bytes; first += kPiece) {
    Slot& slot = next();
    const std::size_t count = std::min(kPiece, bytes - first);
    move(slot.buffer.data(), static_cast<const char*>(host) + first, count);
    PROPHET_CUDA_CHECK(cudaMemcpyAsync(static_cast<char*>(device) + first, slot.buffer.data(), count,
                                       cudaMemcpyHostToDevice, stream));
    slot.arrived.record(stream);
    slot.bytes = count;
  }
}

void StagedCopies::download(void* host, const void* device, std::size_t bytes, cudaStream_t stream) {
  for (std::size_t first = 0; first < bytes; first += kPiece) {
    Slot& slot = next();
    const std::size_t count = std::min(kPiece, bytes - first);
    PROPHET_CUDA_CHECK(cudaMemcpyAsync(slot.buffer.data(), static_cast<const char*>(device) + first, count,
                                       cudaMemcpyDeviceToHost, stream));
    slot.arrived.record(stream);
    slot.target = static_cast<char*>(host) + first;
    slot.bytes = count;
  }
}

void StagedCopies::finish() {
  for (std::size_t i = 1; i <= slots_.size(); ++i) settle(slots_[(at_ + i) % slots_.size()]);
}

void StagedCopies::touch(void* host, std::size_t bytes) {
  constexpr std::size_t kPage = 4096;
  char* const begin = static_cast<char*>(host);
  pool_.forEach(static_cast<int>((bytes + kShare - 1) / kShare), [&](int i, int) {
    const std::size_t first = static_cast<std::size_t>(i) * kShare;
    for (std::size_t at = first; at < std::min(bytes, first + kShare); at += kPage)
      static_cast<volatile char*>(begin)[at] = 0;
  });
}

}  // namespace prophet::cuda
