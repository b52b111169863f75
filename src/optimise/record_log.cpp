#include "optimise/record_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "common/error.hpp"
#include "common/file_lock.hpp"
#include "common/read_file.hpp"
#include "optimise/record_text.hpp"

namespace prophet {
namespace {

/// Whether the name still leads to the open file: the run that had the lock may have removed it at its end.
bool isStillThere(int file, const std::string& path) {
  struct stat opened {
  }, named{};
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

}  // namespace

RecordLog::RecordLog(const std::string& path, const std::string& title, bool resume) : path_(path) {
  if (path.empty()) return;
  if (title.empty() || title.find('\n') != std::string::npos) throw Error("a record's title is one line");
  open();
  try {
    readExisting(title, resume);
    if (lseek(file_, 0, SEEK_END) == 0) append(title);
  } catch (...) {
    close(file_);
    throw;
  }
}

RecordLog::~RecordLog() {
  if (file_ >= 0) close(file_);
}

RecordLog::RecordLog(RecordLog&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      earlier_(std::move(other.earlier_)) {}

RecordLog& RecordLog::operator=(RecordLog&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  std::swap(earlier_, other.earlier_);
  return *this;
}

void RecordLog::open() {
  for (;;) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file_ < 0) throw Error(path_ + ": cannot be written: " + std::strerror(errno));
    const bool locked = tryLock(file_);
    if (locked && isStillThere(file_, path_)) return;
    close(file_);
    if (!locked) throw Error(path_ + ": another run is writing it; wait for that run to end, or stop it");
  }
}

void RecordLog::readExisting(const std::string& title, bool resume) {
  struct stat info {};
  if (::fstat(file_, &info) != 0 || !S_ISREG(info.st_mode))
    throw Error(path_ + ": is not a regular file; the state of a run needs one");
  const std::string text = readAll(file_, path_);
  if (!resume && !text.empty())
    throw Error(path_ + ": exists already; use --resume to go on with that run, or remove the file");
  RecordText record = parseRecord(text, title, path_);
  if (record.wholeBytes < text.size() && ftruncate(file_, static_cast<off_t>(record.wholeBytes)) != 0)
    throw Error(path_ + ": cannot be cut to its last whole line: " + std::strerror(errno));
  earlier_ = std::move(record.lines);
}

void RecordLog::refuse(std::size_t line, const std::string& problem) const {
  throw Error(fmt::format("{}:{}: {}; remove the file to begin anew (a best set beside it stays)", path_,
                          line + 2, problem));
}

void RecordLog::append(const std::string& line) {
  if (path_.empty()) return;
  const std::string text = line + "\n";
  ssize_t written;
  do {
    written = write(file_, text.data(), text.size());
  } while (written < 0 && errno == EINTR);
  if (written != static_cast<ssize_t>(text.size()))
    throw Error(fmt::format("{}: cannot be written: {}; make room and go on with --resume", path_,
                            written < 0 ? std::strerror(errno) : "the disk is full"));
}

}  // namespace prophet
