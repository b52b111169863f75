#pragma once
#include <cstddef>
#include <vector>

#include "core/common/threads.hpp"
#include "cuda/core/common/buffer.hpp"
#include "cuda/core/common/handles.hpp"

namespace prophet::cuda {

/// Copies between a device and host memory of any kind, at the rate of page-locked memory: pieces go through
/// a ring of page-locked buffers, and a few threads move one piece between a buffer and its place while the
/// next ones are on their way. Buffers and threads are made with the first copy and kept. For one thread.
class StagedCopies {
 public:
  /// `threads` that move pieces, from 1 on.
  explicit StagedCopies(int threads) : pool_(threads) {}

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
  static constexpr std::size_t kPiece = std::size_t{16} << 20;
  static constexpr std::size_t kSlots = 4;

  struct Slot {
    PinnedBuffer<char> buffer{kPiece};
    Event arrived{cudaEventDisableTiming};
    char* target = nullptr;  ///< where its bytes belong, if a download is under way
    std::size_t bytes = 0;
  };
  /// The next slot of the ring, done with its last copy.
  Slot& next();
  void settle(Slot& slot);
  void move(char* to, const char* from, std::size_t bytes);

  ThreadPool pool_;
  std::vector<Slot> slots_;
  std::size_t at_ = 0;
};

}  // namespace prophet::cuda
