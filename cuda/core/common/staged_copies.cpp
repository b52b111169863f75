#include "cuda/core/common/staged_copies.hpp"

#include <algorithm>
#include <cstring>

namespace prophet::cuda {
namespace {

// A large page: threads that touch memory first do not meet in one.
constexpr std::size_t kShare = std::size_t{2} << 20;
constexpr std::size_t kSmallest = std::size_t{128} << 10, kPieces = 16;

/// Bytes of the pieces of a copy: several for each thread, so that the first ones are on their way while
/// others are being moved.
std::size_t pieceOf(std::size_t bytes, std::size_t most) {
  const std::size_t even = (bytes / kPieces + kSmallest - 1) / kSmallest * kSmallest;
  return std::clamp(even, kSmallest, most);
}

int currentDevice() {
  int number = 0;
  PROPHET_CUDA_CHECK(cudaGetDevice(&number));
  return number;
}

}  // namespace

std::size_t StagedCopies::take(std::size_t count) {
  if (taken_ + count > kSlots) settle(std::max(kSlots / 2, taken_ + count - kSlots));
  const std::size_t first = oldest_ + taken_;
  while (slots_.size() < std::min(first + count, kSlots)) slots_.emplace_back();
  taken_ += count;
  return first;
}

void StagedCopies::settle(std::size_t count) {
  const std::size_t first = oldest_;
  taken_ -= count;
  oldest_ = taken_ > 0 ? (first + count) % kSlots : 0;
  if (count == 0) return;
  const int device = currentDevice();
  // Threads are woken when there is something to do: they would wait for the device without sleeping.
  PROPHET_CUDA_CHECK(cudaEventSynchronize(slot(first).arrived.get()));
  pool_.forEach(static_cast<int>(count), [&](int i, int) {
    Slot& done = slot(first + static_cast<std::size_t>(i));
    PROPHET_CUDA_CHECK(cudaSetDevice(device));
    PROPHET_CUDA_CHECK(cudaEventSynchronize(done.arrived.get()));
    if (done.target) std::memcpy(done.target, done.buffer.data(), done.bytes);
  });
}

void StagedCopies::upload(void* device, const void* host, std::size_t bytes, cudaStream_t stream) {
  const int number = currentDevice();
  const std::size_t piece = pieceOf(bytes, kPiece), pieces = (bytes + piece - 1) / piece;
  for (std::size_t done = 0; done < pieces; done += kSlots / 2) {
    const std::size_t count = std::min(pieces - done, kSlots / 2), first = take(count);
    pool_.forEach(static_cast<int>(count), [&](int i, int) {
      const std::size_t at = (done + static_cast<std::size_t>(i)) * piece;
      Slot& own = slot(first + static_cast<std::size_t>(i));
      own.target = nullptr;
      own.bytes = std::min(piece, bytes - at);
      std::memcpy(own.buffer.data(), static_cast<const char*>(host) + at, own.bytes);
      PROPHET_CUDA_CHECK(cudaSetDevice(number));
      PROPHET_CUDA_CHECK(cudaMemcpyAsync(static_cast<char*>(device) + at, own.buffer.data(), own.bytes,
                                         cudaMemcpyHostToDevice, stream));
      own.arrived.record(stream);
    });
  }
}

void StagedCopies::download(void* host, const void* device, std::size_t bytes, cudaStream_t stream) {
  const std::size_t piece = pieceOf(bytes, kPiece);
  for (std::size_t at = 0; at < bytes; at += piece) {
    Slot& own = slot(take(1));
    own.bytes = std::min(piece, bytes - at);
    own.target = static_cast<char*>(host) + at;
    PROPHET_CUDA_CHECK(cudaMemcpyAsync(own.buffer.data(), static_cast<const char*>(device) + at, own.bytes,
                                       cudaMemcpyDeviceToHost, stream));
    own.arrived.record(stream);
  }
}

void StagedCopies::finish() { settle(taken_); }

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
