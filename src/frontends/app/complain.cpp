#include "frontends/app/complain.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/common/failure.hpp"

namespace prophet {

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
