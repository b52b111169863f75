#include "common/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/error.hpp"

namespace prophet {

bool tryLock(int file) {
  int status;
  do {
    status = ::flock(file, LOCK_EX | LOCK_NB);
  } while (status != 0 && errno == EINTR);
  return status == 0 || errno != EWOULDBLOCK;
}

FolderLock::FolderLock(const std::string& folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_ < 0) throw Error(folder + ": cannot be opened: " + std::strerror(errno));
  if (tryLock(folder_)) return;
  ::close(folder_);
  throw Error(folder + ": another run is writing there; wait for it or choose another folder");
}

FolderLock::~FolderLock() { ::close(folder_); }

}  // namespace prophet
