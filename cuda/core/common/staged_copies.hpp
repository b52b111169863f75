#pragma once
#include <cstddef>
#include <vector>

#include "core/common/threads.hpp"
#include "cuda/core/common/buffer.hpp"
#include "cuda/core/common/handles.hpp"

namespace prophet::cuda {

/// Copies between a device and host memory of any kind, at the rate of page-locked memory: pieces go through
/// a ring of page-locked buffers, and a few threads move them between the buffers and their places while
/// others are on their way. Buffers and threads are made with the first copy and kept. For one thread. After
/// an exception downloads may be under way: only the destructor may follow.
class StagedCopies {
 public:
  /// `threads` that move pieces, from 1 on.
  explicit StagedCopies(int threads) : pool_(threads) { slots_.reserve(kSlots); }

  /// Queued on `stream` on return; `host` may change at once.
  void upload(void* device, const void* host, std::size_t bytes, cudaStream_t stream);
  /// After everything queued on `stream` before. `host` is written by the end of finish(), of earlier calls
  /// some time before.
  void download(void* host, const void* device, std::size_t bytes, cudaStream_t stream);
  void finish();

  /// Makes the system give all pages of memory that is about to be written (contents are lost), by all
  /// threads: for the time in which the device computes.
  void touch(void* host, std::size_t bytes);

  ThreadPool& threads() { return pool_; }

 private:
  static constexpr std::size_t kPiece = std::size_t{2} << 20;
  static constexpr std::size_t kSlots = 32;

  struct Slot {
    PinnedBuffer<char> buffer{kPiece};
    Event arrived{cudaEventDisableTiming};
    char* target = nullptr;  ///< where its bytes belong, if a download is under way
    std::size_t bytes = 0;
  };
  /// Takes the next `count` slots of the ring and returns the number of the first one.
  std::size_t take(std::size_t count);
  Slot& slot(std::size_t number) { return slots_[number % kSlots]; }
  /// Is done with the copies of the `count` slots that were taken first.
  void settle(std::size_t count);

  ThreadPool pool_;
  std::vector<Slot> slots_;
  std::size_t oldest_ = 0, taken_ = 0;  ///< the slot that was taken first, and how many are
};

}  // namespace prophet::cuda
