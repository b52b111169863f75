#include "core/common/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "core/common/error.hpp"

namespace prophet {

bool tryLock(const FileHandle& file) {
  using namespace std::chrono_literals;
  // A run that was killed a moment ago may still hold it.
  const auto patience = std::chrono::steady_clock::now() + 3s;
  for (;;) {
    if (::flock(file.number(), LOCK_EX | LOCK_NB) == 0) return true;
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return true;
    if (std::chrono::steady_clock::now() > patience) return false;
    std::this_thread::sleep_for(50ms);
  }
}

FolderLock::FolderLock(const std::string& folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (!folder_.isOpen()) throw Error(folder + ": cannot be opened: " + std::strerror(errno));
  if (!tryLock(folder_))
    throw Error(folder + ": another run is writing there; wait for it or choose another folder");
}

}  // namespace prophet
