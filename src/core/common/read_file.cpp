#include "core/common/read_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace prophet {
namespace {

constexpr std::size_t kChunk = 1 << 16;
constexpr std::size_t kMostOfDevice = 1 << 24;  // what somebody types into a terminal is less

[[noreturn]] void fail(int error, const std::string& path) {
  const std::string text = path + ": error: cannot read the file: " + std::strerror(error);
  if (error == EMFILE || error == ENFILE || error == ENOMEM) throw ResourceError(text);
  throw Error(text);
}

}  // namespace

std::string readAll(const FileHandle& file, const std::string& path) {
  std::string content;
  struct stat status {};
  const bool device = ::fstat(file.number(), &status) == 0 && S_ISCHR(status.st_mode);
  std::vector<char> chunk(kChunk);
  for (;;) {
    const ssize_t count = ::read(file.number(), chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno, path);
    if (count == 0) return content;
    content.append(chunk.data(), static_cast<std::size_t>(count));
    if (device && content.size() > kMostOfDevice)
      throw Error(path + ": error: this is a device without an end, not a file");
  }
}

std::string readFile(const std::string& path) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.isOpen()) fail(errno, path);
  return readAll(file, path);
}

}  // namespace prophet
