#pragma once
#include <string>

#include "core/common/file_handle.hpp"

namespace prophet {

/// Takes the lock of an open file without waiting; it ends when the file is closed or the process dies.
/// False if another process (or another opening of the file) holds it. File systems without locks count as
/// locked: there is nothing better to do on them.
bool tryLock(const FileHandle& file);

/// The lock of a whole folder for as long as the object lives: for runs that write several files there.
class FolderLock {
 public:
  /// Throws Error if another run holds it or the folder cannot be opened.
  explicit FolderLock(const std::string& folder);

 private:
  FileHandle folder_;
};

}  // namespace prophet
