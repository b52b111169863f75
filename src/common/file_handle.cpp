#include "common/file_handle.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace prophet {
namespace {

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

bool isRegular(const FileHandle& file) {
  struct stat status {};
  return ::fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode);
}

bool isStillAt(const FileHandle& file, const std::string& path) {
  struct stat opened {
  }, named{};
  return ::fstat(file.number(), &opened) == 0 && ::stat(path.c_str(), &named) == 0 && isSame(opened, named);
}

bool isSameFile(const std::string& a, const std::string& b) {
  struct stat one {
  }, other{};
  if (::stat(a.c_str(), &one) == 0 && ::stat(b.c_str(), &other) == 0) return isSame(one, other);
  std::error_code failed;
  return std::filesystem::weakly_canonical(a, failed) == std::filesystem::weakly_canonical(b, failed);
}

bool cutTo(const FileHandle& file, std::size_t bytes) {
  return ::ftruncate(file.number(), static_cast<off_t>(bytes)) == 0;
}

}  // namespace prophet
