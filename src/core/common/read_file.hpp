#pragma once
#include <filesystem>
#include <string>

#include "core/common/error.hpp"
#include "core/common/file_handle.hpp"

namespace prophet {

/// A shortage of the system (open files, memory), not a fault of the file or job at hand, which may succeed
/// another time.
class ResourceError : public Error {
 public:
  using Error::Error;
};

/// The rest of an open file. `path` names it in messages. Throws ResourceError or Error, "PATH: error: cannot
/// read the file: the system's reason"; also for devices that do not end, such as /dev/zero.
std::string readAll(const FileHandle& file, const std::string& path);

/// A whole file. Throws as readAll, also for a folder.
std::string readFile(const std::string& path);

/// The file that holds this code: the program, or the shared library where it is part of one. Files
/// that belong to it are found relative to it. Empty if the system does not tell.
std::filesystem::path ownFile();

}  // namespace prophet
