#include "core/common/heap.hpp"

#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#endif

namespace prophet {

#if defined(__GLIBC__)
void growHeapInLargePages(int threads) {
  constexpr std::uintptr_t kPage = 2u << 20;
  constexpr int kStep = 16 << 20, kKept = 128 << 20, kMapped = 32 << 20;
  constexpr int kFewThreads = 8;  // hardly ever wait for each other's allocations
  if (threads <= kFewThreads) mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, kStep);
  mallopt(M_TRIM_THRESHOLD, kKept);
  mallopt(M_MMAP_THRESHOLD, kMapped);
  // The next growth begins a little before a large page: malloc writes into the small pages before it (beside
  // the probe, which is more than what is left of the last growth), because a range where there is a small
  // page already gets no large one.
  constexpr std::uintptr_t kBefore = 512 << 10, kProbe = 400 << 10;
  const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0));
  const std::uintptr_t large = (end + kBefore + kPage - 1) / kPage * kPage;
  if (sbrk(static_cast<std::intptr_t>(large - kBefore - end)) == reinterpret_cast<void*>(-1)) return;
  void* volatile probe = std::malloc(kProbe);
  std::free(probe);
  // Where the heap is elsewhere, or the system has no large pages, this fails and changes nothing.
  madvise(reinterpret_cast<void*>(large), kStep - kBefore, MADV_HUGEPAGE);
}
#else
void growHeapInLargePages(int) {}
#endif

}  // namespace prophet
