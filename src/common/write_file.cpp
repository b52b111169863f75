#include "common/write_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "common/error.hpp"

namespace prophet {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw Error("cannot write '" + path + "': " + std::strerror(errno));
}

void writeAll(int file, const std::string& content, const std::string& path) {
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t n = ::write(file, content.data() + done, content.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(path);
    done += static_cast<std::size_t>(n);
  }
}

bool isRegularOrNew(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode);
}

}  // namespace

void writeFileAtomically(const std::string& path, const std::string& content) {
  // Devices and pipes (/dev/stdout, say) cannot be replaced; they are written to directly.
  const bool replace = isRegularOrNew(path);
  const std::string target = replace ? path + ".tmp" + std::to_string(::getpid()) : path;
  const int file = ::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail(path);
  try {
    writeAll(file, content, path);
    if (replace && ::fsync(file) != 0) fail(path);
  } catch (...) {
    ::close(file);
    if (replace) ::unlink(target.c_str());
    throw;
  }
  ::close(file);
  if (replace && std::rename(target.c_str(), path.c_str()) != 0) fail(path);
}

}  // namespace prophet
