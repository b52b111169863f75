#pragma once
#include <string>

#include "common/error.hpp"

namespace prophet {

/// What the system lacks just now (open files, memory): no fault of the file or job at hand, which may succeed
/// another time.
class ResourceError : public Error {
 public:
  using Error::Error;
};

/// Throws ResourceError or Error, "PATH: cannot be WHAT: the system's reason", by the error number.
[[noreturn]] void failWith(int error, const std::string& path, const std::string& what);

/// The rest of an open file. `path` names it in messages. Throws as failWith.
std::string readAll(int file, const std::string& path);

/// A whole file. Throws as failWith, also for a folder.
std::string readFile(const std::string& path);

}  // namespace prophet
