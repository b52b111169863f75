#include "core/common/files.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>
#include <vector>

#include "core/common/failure.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as many as the system follows

bool isSame(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

bool FileHandle::close() {
  if (!isOpen()) return true;
  return ::close(std::exchange(number_, -1)) == 0 || errno == EINTR;
}

std::optional<std::string> appendAll(const FileHandle& file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file.number(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return std::strerror(errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return std::nullopt;
}

bool isRegular(const FileHandle& file) {
  struct stat status {};
  return ::fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode);
}

bool isStillAt(const FileHandle& file, const std::string& path) {
  struct stat opened {
  }, named{};
  return ::fstat(file.number(), &opened) == 0 && ::stat(path.c_str(), &named) == 0 && isSame(opened, named);
}

std::string followLinks(const std::string& path) {
  fs::path target = path;
  std::error_code none;
  for (int i = 0; fs::is_symlink(fs::symlink_status(target, none)); ++i) {
    const fs::path next = fs::read_symlink(target, none);
    if (none || i == kMostLinks) return path;
    const fs::path there = next.is_absolute() ? next : target.parent_path() / next;
    // Links of /proc lead to open files, which may have no name.
    if (fs::exists(target, none) && !fs::exists(there, none)) return target.string();
    target = there;
  }
  return target.string();
}

bool isSameFile(const std::string& a, const std::string& b) {
  struct stat one {
  }, other{};
  const bool isOne = ::stat(a.c_str(), &one) == 0, isOther = ::stat(b.c_str(), &other) == 0;
  if (isOne && isOther) return isSame(one, other);
  if (isOne || isOther) return false;
  std::error_code failed;
  const auto place = [&](const std::string& path) {
    const fs::path target = fs::absolute(followLinks(path), failed);
    return fs::weakly_canonical(target.parent_path(), failed) / target.filename();
  };
  return place(a) == place(b);
}

bool cutTo(const FileHandle& file, std::size_t bytes) {
  return ::ftruncate(file.number(), static_cast<off_t>(bytes)) == 0;
}

bool tryLock(const FileHandle& file) {
  using namespace std::chrono_literals;
  // A run that was killed a moment ago may still hold it.
  const auto patience = std::chrono::steady_clock::now() + 3s;
  for (;;) {
    if (::flock(file.number(), LOCK_EX | LOCK_NB) == 0) return true;
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return true;
    if (std::chrono::steady_clock::now() > patience) return false;
    std::this_thread::sleep_for(50ms);
  }
}

FolderLock::FolderLock(const std::string& folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (!folder_.isOpen()) throw Error(folder + ": cannot be opened: " + std::strerror(errno));
  if (!tryLock(folder_))
    throw FailureError(folder + ": another run is writing there; wait for it or choose another folder");
}

namespace {

constexpr std::size_t kChunk = 1 << 16;
constexpr std::size_t kMostOfDevice = 1 << 24;  // what somebody types into a terminal is less

/// Whether open files or memory are short.
bool isShortage(int error) { return error == EMFILE || error == ENFILE || error == ENOMEM; }

[[noreturn]] void cannotRead(const std::string& path) {
  const int error = errno;
  const std::string text = path + ": error: cannot read the file: " + std::strerror(error);
  if (isShortage(error)) throw ResourceError(text);
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
    if (count < 0) cannotRead(path);
    if (count == 0) return content;
    content.append(chunk.data(), static_cast<std::size_t>(count));
    if (device && content.size() > kMostOfDevice)
      throw Error(path + ": error: this is a device without an end, not a file");
  }
}

std::string readFile(const std::string& path) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.isOpen()) cannotRead(path);
  return readAll(file, path);
}

namespace {

/// As the system shows it; where there is no /proc (a chroot, say), by the path that it was started with.
fs::path programFile(std::error_code& failed) {
  const fs::path shown = fs::read_symlink("/proc/self/exe", failed);
  if (!failed) return shown;
  const auto* started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  return fs::canonical(started ? started : "", failed);
}

}  // namespace

fs::path ownFile() {
  Dl_info info;
  void* map = nullptr;
  const bool known = dladdr1(reinterpret_cast<void*>(&ownFile), &info, &map, RTLD_DL_LINKMAP) != 0 && map;
  // The program itself has no name there, and its first argument need not be a path.
  const char* library = known ? static_cast<const link_map*>(map)->l_name : "";
  std::error_code failed;
  const fs::path file = *library ? fs::canonical(library, failed) : programFile(failed);
  return failed ? fs::path() : file;
}

namespace {

constexpr int kMostAttempts = 1000;  // at a name that other processes take at the same moment
constexpr std::size_t kLongestName = 255;

[[noreturn]] void fail(const std::string& path, int error = errno) {
  const std::string text = "cannot write '" + path + "': " + std::strerror(error);
  if (isShortage(error)) throw ResourceError(text);
  throw FailureError(text);
}

std::string temporaryName(const std::string& name) {
  const std::string suffix = ".cudaprophet-tmp";
  return "." + name.substr(0, kLongestName - 1 - suffix.size()) + suffix;
}

/// One file that is to be replaced.
class Replacement {
 public:
  using Fill = std::function<void(const std::string& file)>;

  explicit Replacement(const std::string& path)
      : path_(path),
        target_(followLinks(path)),
        name_(target_.filename().string()),
        temporary_(temporaryName(name_)),
        folder_(::open(target_.has_parent_path() ? target_.parent_path().c_str() : ".",
                       O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (!folder_.isOpen()) fail(path_);
    if (name_.empty() || name_ == "." || name_ == "..") fail(path_, EISDIR);
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
    if (!isDevice() && openNameless().isOpen()) return;
    if (::faccessat(folder_.number(), isDevice() ? name_.c_str() : ".", W_OK, AT_EACCESS) != 0) fail(path_);
  }

  /// `locked`: the new file is locked before it has its name, for as long as what is returned is open.
  FileHandle write(const std::string& content, bool locked = false) {
    if (isDevice()) {
      writeInPlace(content);
      return {};
    }
    FileHandle written;
    Published done = Published::Taken;
    for (int attempt = 0; done == Published::Taken; ++attempt) {
      if (attempt == kMostAttempts) fail(path_, EBUSY);
      written = openNameless();
      done = Published::Never;
      if (!written.isOpen()) break;
      append(written, content);
      if (locked) ::flock(written.number(), LOCK_EX);
      done = publish(written);
    }
    if (done == Published::Never)
      written = writeNamed([&](const FileHandle& file, const std::string&) { append(file, content); });
    // A file system that cannot do this has nothing better to offer.
    ::fsync(folder_.number());
    return written;
  }

  void take(const std::string& finished) {
    if (isDevice()) fail(path_, EEXIST);
    const FileHandle file(::open(finished.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    if (!file.isOpen()) fail(path_);
    settle(file);
    if (::renameat(AT_FDCWD, finished.c_str(), folder_.number(), name_.c_str()) != 0) fail(path_);
    ::fsync(folder_.number());
  }

  void write(const Fill& fill) {
    if (!isDevice()) {
      writeNamed([&](const FileHandle&, const std::string& file) { fill(file); });
      ::fsync(folder_.number());
      return;
    }
    std::string file = (fs::temp_directory_path() / "cudaprophet-XXXXXX").string();
    const FileHandle made(::mkostemp(file.data(), O_CLOEXEC));
    if (!made.isOpen()) fail(file);
    try {
      fill(file);
      writeInPlace(readFile(file));
    } catch (...) {
      ::unlink(file.c_str());
      throw;
    }
    ::unlink(file.c_str());
  }

 private:
  enum class Published {
    Yes,
    Never,  ///< the system gives no names to nameless files
    Taken   ///< another writer took the name away: a file that has lost its name cannot get another one
  };

  /// Not open on file systems without such files.
  FileHandle openNameless() {
    FileHandle nameless(::openat(folder_.number(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666));
    if (!nameless.isOpen() && errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT && errno != EINVAL)
      fail(path_);
    return nameless;
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
      throw FailureError("cannot write '" + path_ + "': " + *problem);
  }

  bool isDevice() const { return exists_ && !S_ISREG(old_.st_mode); }

  /// Gives a written file the owner and the mode of the old one, and brings it to the disk.
  void settle(const FileHandle& file) {
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
  Published publish(const FileHandle& file) {
    settle(file);
    const std::string number = "/proc/self/fd/" + std::to_string(file.number());
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
  FileHandle writeNamed(const std::function<void(const FileHandle& file, const std::string& path)>& fillIt) {
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      FileHandle file(
          ::openat(folder_.number(), temporary_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
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
        fillIt(file, (target_.parent_path() / temporary_).string());
        settle(file);
        if (!rename()) fail(path_);
      } catch (...) {
        unlink();
        throw;
      }
      return file;
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

void writeFileAtomically(const std::string& path, const std::function<void(const std::string& file)>& fill) {
  Replacement(path).write(fill);
}

void replaceByFinished(const std::string& finished, const std::string& path) {
  Replacement(path).take(finished);
}

void requireWritable(const std::string& path) { Replacement(path).test(); }

LockedFile::LockedFile(const std::string& path, Wait wait) : path_(path) {
  const std::string target = followLinks(path);
  for (;;) {
    isNew_ = false;
    file_ = FileHandle(::open(target.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
    if (!file_.isOpen() && errno == ENOENT) {
      file_ = FileHandle(::open(target.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
      isNew_ = file_.isOpen();
      if (!isNew_ && errno == EEXIST) continue;
    }
    if (!file_.isOpen()) fail(path);
    if (!isRegular(file_)) throw Error("cannot write '" + path + "': it is no file that can be read again");
    if (wait == Wait::Wait) {
      while (::flock(file_.number(), LOCK_EX) != 0 && errno == EINTR) {
      }
    } else if (!tryLock(file_)) {
      throw FailureError(path +
                         ": another run is writing it; wait for that run to end, or name another file");
    }
    if (isStillAt(file_, target)) return;
  }
}

LockedFile::~LockedFile() {
  if (isNew_ && isStillAt(file_, path_)) ::unlink(followLinks(path_).c_str());
}

std::string LockedFile::read() const {
  ::lseek(file_.number(), 0, SEEK_SET);
  return readAll(file_, path_);
}

void LockedFile::replace(const std::string& content) {
  FileHandle written = Replacement(path_).write(content, true);
  file_ = std::move(written);
  isNew_ = false;
}

bool canBeLocked(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) != 0 ? errno == ENOENT : S_ISREG(status.st_mode);
}

}  // namespace prophet
