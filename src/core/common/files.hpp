#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/common/failure.hpp"

namespace prophet {

/// An open file or folder of the system, which is closed with it.
class FileHandle {
 public:
  FileHandle() = default;
  /// Takes over what open(2) returned; negative: none.
  explicit FileHandle(int number) : number_(number) {}
  ~FileHandle() { close(); }
  FileHandle(FileHandle&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  bool isOpen() const { return number_ >= 0; }
  int number() const { return number_; }
  /// Closes the file, if one is open; false, with errno, where the system has lost what was written: some
  /// file systems tell only here that the disk is full.
  bool close();

 private:
  int number_ = -1;
};

/// Appends all of `text`, however many calls that takes. Returns what went wrong.
std::optional<std::string> appendAll(const FileHandle& file, std::string_view text);

/// Whether it is neither folder nor device nor pipe.
bool isRegular(const FileHandle& file);

/// Whether `path` still leads to the open file: another process may have removed or replaced it.
bool isStillAt(const FileHandle& file, const std::string& path);

/// Where a chain of symbolic links ends; there need not be a file. A chain without end is left as it is.
std::string followLinks(const std::string& path);

/// Whether two paths lead to one file, or would if they existed.
bool isSameFile(const std::string& a, const std::string& b);

/// Cuts a file to its first bytes; false, with errno, if that fails.
bool cutTo(const FileHandle& file, std::size_t bytes);

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

/// A shortage of the system (open files, memory), not a fault of the file or job at hand, which may succeed
/// another time.
class ResourceError : public FailureError {
 public:
  using FailureError::FailureError;
};

/// The rest of an open file. `path` names it in messages. Throws ResourceError or Error, "PATH: error: cannot
/// read the file: the system's reason"; also for devices that do not end, such as /dev/zero.
std::string readAll(const FileHandle& file, const std::string& path);

/// A whole file. Throws as readAll, also for a folder.
std::string readFile(const std::string& path);

/// The file that holds this code: the program, or the shared library where it is part of one. Files
/// that belong to it are found relative to it. Empty if the system does not tell.
std::filesystem::path ownFile();

/// Replaces a file's content in one step, so that a reader, a killed run or a power failure leaves the old or
/// the new content and never half of it: the content goes into a file without a name in the same folder, to
/// the disk, and then takes the place of the old one. A symbolic link is followed and stays; permissions are
/// kept; devices and pipes are written to. Throws Error with the system's reason, the old file then being as
/// it was.
///
/// On file systems without nameless files a kill can leave ".NAME.cudaprophet-tmp"; the next run that
/// writes the file replaces it.
void writeFileAtomically(const std::string& path, const std::string& content);

/// The same for a content that somebody else writes, such as a library that takes a path: `fill` writes the
/// file that it is given, which is empty.
void writeFileAtomically(const std::string& path, const std::function<void(const std::string& file)>& fill);

/// Throws what writeFileAtomically would, as far as that can be known before there is a content (a full disk
/// cannot); nothing is changed.
void requireWritable(const std::string& path);

/// Lets a finished file of the same folder take the place of another one as writeFileAtomically does: links
/// are followed, owner and permissions kept. Throws Error, also where there is no regular file to replace.
void replaceByFinished(const std::string& finished, const std::string& path);

/// A file that is read, replaced and read again while no other process does: the lock goes over to each new
/// content before that has the name, and ends with the object or the process. Only those that use this class
/// heed it.
class LockedFile {
 public:
  enum class Wait {
    Refuse,  ///< for a run that keeps its file: another one is told that the first is at work
    Wait     ///< for a moment's work, which others wait for
  };
  /// Opens a file, or makes an empty one, which goes again with the object where nothing was written. Throws
  /// Error with the system's reason, for what is no regular file, and where another process holds the file.
  LockedFile(const std::string& path, Wait wait);
  ~LockedFile();
  LockedFile(const LockedFile&) = delete;
  /// What the file holds now. Throws as readAll.
  std::string read() const;
  /// As writeFileAtomically.
  void replace(const std::string& content);

 private:
  std::string path_;
  FileHandle file_;
  bool isNew_ = false;
};

/// Whether LockedFile takes it: a regular file, or none yet; not a device, a pipe or a folder.
bool canBeLocked(const std::string& path);

}  // namespace prophet
