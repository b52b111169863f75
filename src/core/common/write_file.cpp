#include "core/common/write_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/common/error.hpp"
#include "core/common/file_handle.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

constexpr int kMostAttempts = 1000;  // at a name that other processes take at the same moment
constexpr std::size_t kLongestName = 255;

[[noreturn]] void fail(const std::string& path, int error = errno) {
  throw Error("cannot write '" + path + "': " + std::strerror(error));
}

std::string temporaryName(const std::string& name) {
  const std::string suffix = ".cudaprophet-tmp";
  return "." + name.substr(0, kLongestName - 1 - suffix.size()) + suffix;
}

/// One file that is to be replaced.
class Replacement {
 public:
  explicit Replacement(const std::string& path)
      : path_(path),
        target_(followLinks(path)),
        name_(target_.filename().string()),
        temporary_(temporaryName(name_)),
        folder_(::open(target_.has_parent_path() ? target_.parent_path().c_str() : ".",
                       O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (!folder_.isOpen()) fail(path_);
    if (::fstatat(folder_.number(), name_.c_str(), &old_, 0) != 0) {
      if (errno != ENOENT) fail(path_);
      return;
    }
    exists_ = true;
    if (S_ISDIR(old_.st_mode)) fail(path_, EISDIR);
    if (S_ISREG(old_.st_mode) && ::faccessat(folder_.number(), name_.c_str(), W_OK, AT_EACCESS) != 0)
      fail(path_);
  }

  /// Whether that may be done now.
  void test() {
    const bool inPlace = exists_ && !S_ISREG(old_.st_mode);
    if (!inPlace && openNameless().isOpen()) return;
    if (::faccessat(folder_.number(), inPlace ? name_.c_str() : ".", W_OK, AT_EACCESS) != 0) fail(path_);
  }

  void write(const std::string& content) {
    if (exists_ && !S_ISREG(old_.st_mode)) return writeInPlace(content);
    Published done = Published::Taken;
    for (int attempt = 0; done == Published::Taken; ++attempt) {
      if (attempt == kMostAttempts) fail(path_, EBUSY);
      done = writeNameless(content);
    }
    if (done == Published::Never) writeNamed(content);
    // A file system that cannot do this has nothing better to offer.
    ::fsync(folder_.number());
  }

 private:
  enum class Published {
    Yes,
    Never,  ///< the system gives no names to nameless files
    Taken   ///< another writer took the name away: a file that has lost its name cannot get another one
  };

  /// Not open on file systems without such files.
  FileHandle openNameless() {
    FileHandle nameless(::openat(folder_.number(), ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
    if (!nameless.isOpen() && errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT && errno != EINVAL)
      fail(path_);
    return nameless;
  }

  Published writeNameless(const std::string& content) {
    const FileHandle nameless = openNameless();
    if (!nameless.isOpen()) return Published::Never;
    fill(nameless, content);
    return publish(nameless.number());
  }

  /// Devices and pipes (/dev/stdout, say) cannot be replaced.
  void writeInPlace(const std::string& content) {
    FileHandle file(::openat(folder_.number(), name_.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.isOpen()) fail(path_);
    append(file, content);
    if (!file.close()) fail(path_);
  }

  void append(const FileHandle& file, const std::string& content) {
    if (const auto problem = appendAll(file, content))
      throw Error("cannot write '" + path_ + "': " + *problem);
  }

  void fill(const FileHandle& file, const std::string& content) {
    append(file, content);
    if (exists_) {
      // The owner can be kept by root only; without it the bits for its rights would be another's.
      if (::fchown(file.number(), old_.st_uid, old_.st_gid) == 0 || old_.st_uid == ::geteuid())
        ::fchmod(file.number(), old_.st_mode & 07777);
    }
    if (::fsync(file.number()) != 0) fail(path_);
  }

  bool rename() {
    return ::renameat(folder_.number(), temporary_.c_str(), folder_.number(), name_.c_str()) == 0;
  }
  void unlink() { ::unlinkat(folder_.number(), temporary_.c_str(), 0); }

  /// A name can be given to a nameless file but not taken over by it, so it first gets another one. Where
  /// that is taken, by a process that was killed here or one that writes the same file at this moment, it is
  /// ours to take: what that process has written is whole as well.
  Published publish(int file) {
    const std::string number = "/proc/self/fd/" + std::to_string(file);
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      if (::linkat(AT_FDCWD, number.c_str(), folder_.number(), temporary_.c_str(), AT_SYMLINK_FOLLOW) != 0) {
        if (errno == ENOSPC || errno == EDQUOT) fail(path_);
        if (errno != EEXIST) return Published::Never;  // no /proc
        unlink();
      } else if (rename()) {
        return Published::Yes;
      } else {
        const int error = errno;
        if (error == ENOENT) return Published::Taken;
        unlink();
        fail(path_, error);
      }
    }
    fail(path_, EBUSY);
  }

  /// With a name from the start: the lock tells a writer at work from a dead one's remains.
  void writeNamed(const std::string& content) {
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      FileHandle file(
          ::openat(folder_.number(), temporary_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
      if (!file.isOpen()) fail(path_);
      ::flock(file.number(), LOCK_EX);
      struct stat opened {
      }, named{};
      if (::fstat(file.number(), &opened) != 0) fail(path_);
      if (::fstatat(folder_.number(), temporary_.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0 ||
          named.st_ino != opened.st_ino)
        continue;  // another writer has just renamed it
      try {
        if (::ftruncate(file.number(), 0) != 0) fail(path_);
        fill(file, content);
        if (!rename()) fail(path_);
      } catch (...) {
        unlink();
        throw;
      }
      return;
    }
    fail(path_, EBUSY);
  }

  const std::string path_;
  const fs::path target_;
  const std::string name_, temporary_;
  FileHandle folder_;
  struct stat old_ {};
  bool exists_ = false;
};

}  // namespace

void writeFileAtomically(const std::string& path, const std::string& content) {
  Replacement(path).write(content);
}

void requireWritable(const std::string& path) { Replacement(path).test(); }

}  // namespace prophet
