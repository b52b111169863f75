#include "core/common/read_file.hpp"

#include <sys/stat.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <system_error>
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

namespace fs = std::filesystem;

fs::path ownFile() {
  Dl_info info;
  void* map = nullptr;
  const bool known = dladdr1(reinterpret_cast<void*>(&ownFile), &info, &map, RTLD_DL_LINKMAP) != 0 && map;
  // The program itself has no name there, and its first argument need not be a path.
  const char* library = known ? static_cast<const link_map*>(map)->l_name : "";
  std::error_code failed;
  const fs::path file =
      *library ? fs::canonical(library, failed) : fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path() : file;
}

}  // namespace prophet
