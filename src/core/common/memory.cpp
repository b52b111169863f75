#include "core/common/memory.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace prophet {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

double physicalMemory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// The number in a control group's file; "max", or no such file: no limit.
double limitIn(const std::string& file) {
  std::ifstream in(file);
  std::string word;
  if (!(in >> word)) return kNoLimit;
  unsigned long long bytes = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), bytes);
  return status == std::errc() && end == word.data() + word.size() ? static_cast<double>(bytes) : kNoLimit;
}

/// A group's limit holds for the groups in it too. In a container the path may be the host's: then only the
/// topmost folder, which is the container's own group, is there.
double limitOfGroups(const std::string& folder, std::string group, const std::string& file) {
  double least = limitIn(folder + "/" + file);
  while (!group.empty() && group != "/") {
    least = std::min(least, limitIn(folder + group + "/" + file));
    group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
  return least;
}

/// Lines "number:controllers:path"; version 2 has the number 0 and no controllers.
double controlGroupLimit(const std::string& root) {
  std::ifstream in(root + "/proc/self/cgroup");
  double least = kNoLimit;
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    if (controllers == ",,")
      least = std::min(least, limitOfGroups(root + "/sys/fs/cgroup", group, "memory.max"));
    if (controllers.find(",memory,") != std::string::npos)
      least = std::min(least, limitOfGroups(root + "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
  }
  return least;
}

double addressSpaceLeft() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
  std::ifstream in("/proc/self/statm");
  double pages = 0;
  in >> pages;
  return std::max(0.0,
                  static_cast<double>(limit.rlim_cur) - pages * static_cast<double>(sysconf(_SC_PAGESIZE)));
}

}  // namespace

double availableMemory(const std::string& root) {
  return std::min({physicalMemory(), controlGroupLimit(root), addressSpaceLeft()});
}

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
