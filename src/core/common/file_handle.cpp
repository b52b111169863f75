#include "core/common/file_handle.hpp"

#include <sys/file.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "core/common/error.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as many as the system follows

bool isSame(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

bool FileHandle::close() {
  if (!isOpen()) return true;
  return ::close(std::exchange(number_, -1)) == 0 || errno == EINTR;
}

std::optional<std::string> appendAtOnce(const FileHandle& file, std::string_view text) {
  ssize_t written;
  do {
    written = ::write(file.number(), text.data(), text.size());
  } while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(text.size())) return std::nullopt;
  return written < 0 ? std::strerror(errno) : "no space left";
}

std::optional<std::string> appendAll(const FileHandle& file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file.number(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return std::strerror(errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return std::nullopt;
}

bool isRegular(const FileHandle& file) {
  struct stat status {};
  return ::fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode);
}

bool isStillAt(const FileHandle& file, const std::string& path) {
  struct stat opened {
  }, named{};
  return ::fstat(file.number(), &opened) == 0 && ::stat(path.c_str(), &named) == 0 && isSame(opened, named);
}

std::string followLinks(const std::string& path) {
  fs::path target = path;
  std::error_code none;
  for (int i = 0; fs::is_symlink(fs::symlink_status(target, none)); ++i) {
    const fs::path next = fs::read_symlink(target, none);
    if (none || i == kMostLinks) return path;
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target.string();
}

bool isSameFile(const std::string& a, const std::string& b) {
  struct stat one {
  }, other{};
  const bool isOne = ::stat(a.c_str(), &one) == 0, isOther = ::stat(b.c_str(), &other) == 0;
  if (isOne && isOther) return isSame(one, other);
  if (isOne || isOther) return false;
  std::error_code failed;
  const auto place = [&](const std::string& path) {
    const fs::path target = fs::absolute(followLinks(path), failed);
    return fs::weakly_canonical(target.parent_path(), failed) / target.filename();
  };
  return place(a) == place(b);
}

bool cutTo(const FileHandle& file, std::size_t bytes) {
  return ::ftruncate(file.number(), static_cast<off_t>(bytes)) == 0;
}

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
