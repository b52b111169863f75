#include "frontends/app/output_stream.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/common/error.hpp"
#include "core/common/failure.hpp"

namespace prophet {
namespace {

std::string sentence(int error) {
  return std::string("cannot write to standard output: ") + (error == EBADF ? "it is closed"
                                                             : error != 0   ? std::strerror(error)
                                                                            : "part of the output is lost");
}

}  // namespace

void holdStandardStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is this one. Opened the wrong way round, so that its use is an error.
    const int flags = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (::open("/dev/null", flags) != stream) ::_exit(kFailure);
  }
}

void print(const std::string& text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0 && !std::ferror(stdout)) return;
  throw OutputError(sentence(errno));
}

void printWarnings(const std::vector<std::string>& warnings) {
  for (const std::string& text : warnings)
    std::fputs(("cudaprophet: warning: " + text + "\n").c_str(), stderr);
}

int closeStandardStreams(int status) {
  errno = 0;
  const bool wasBroken = std::ferror(stdout) != 0, flushed = std::fflush(stdout) == 0;
  const int error = errno;
  if (wasBroken || !flushed) {
    // A failure has been told already; it may be this one.
    if (status != kFailure) std::fprintf(stderr, "cudaprophet: error: %s\n", sentence(error).c_str());
    status = kFailure;
  }
  std::fflush(stderr);
  return std::ferror(stderr) && status == kSuccess ? kFailure : status;
}

void complain(int status, const std::string& text) {
  const bool begins = status == kBadInput || text.find(": error: ") != std::string::npos;
  const bool threads = text.find(std::strerror(EAGAIN)) != std::string::npos;
  std::fprintf(
      stderr, "cudaprophet: %s%s%s\n", begins ? "" : "error: ", text.c_str(),
      threads ? ": the system cannot start more threads or processes; use fewer --threads, or allow more "
                "processes (ulimit -u) or memory (ulimit -v)"
              : "");
}

}  // namespace prophet
