#pragma once
#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace prophet {

/// Memory for arrays of gigabytes. Elements made without a value are left as they are, not zero: clearing by
/// one thread what others write next takes longer than writing it. Large arrays ask for large pages.
template <class T>
struct LargeAllocator {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  using value_type = T;

  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) noexcept {}

  T* allocate(std::size_t count) {
    constexpr std::size_t kPage = std::size_t{1} << 21;
    if (count > static_cast<std::size_t>(-1) / sizeof(T) - kPage) throw std::bad_alloc();
    const std::size_t bytes = count * sizeof(T);
    if (bytes < kPage) return static_cast<T*>(::operator new(bytes, std::align_val_t(kSmall)));
    const std::size_t rounded = (bytes + kPage - 1) / kPage * kPage;
    void* block = std::aligned_alloc(kPage, rounded);
    if (!block) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    madvise(block, rounded, MADV_HUGEPAGE);  // no error if the system has none
#endif
    return static_cast<T*>(block);
  }
  void deallocate(T* block, std::size_t count) noexcept {
    if (count * sizeof(T) < std::size_t{1} << 21) {
      ::operator delete(block, std::align_val_t(kSmall));
    } else {
      std::free(block);
    }
  }
  template <class U, class... Args>
  void construct(U* at, Args&&... args) {
    if constexpr (sizeof...(Args) > 0) ::new (static_cast<void*>(at)) U(std::forward<Args>(args)...);
  }
  template <class U>
  bool operator==(const LargeAllocator<U>&) const {
    return true;
  }

 private:
  static constexpr std::size_t kSmall = 64;
};

/// LargeVector<T>(n) has n elements without a value; LargeVector<T>(n, T{}) has zeros.
template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace prophet
