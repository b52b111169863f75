#pragma once
#include <string>

namespace prophet {

/// Takes the lock of an open file without waiting; it ends when the file is closed or the process dies.
/// False if another process (or another opening of the file) holds it. File systems without locks count as
/// locked: there is nothing better to do on them.
bool tryLock(int file);

/// The lock of a whole folder for as long as the object lives: for runs that write several files there.
class FolderLock {
 public:
  /// Throws Error if another run holds it or the folder cannot be opened.
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int folder_ = -1;
};

}  // namespace prophet
