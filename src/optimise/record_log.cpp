#include "optimise/record_log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "common/error.hpp"

namespace prophet {

RecordLog::RecordLog(const std::string& path, const std::string& title, bool resume) : path_(path) {
  if (path.empty()) return;
  if (title.empty() || title.find('\n') != std::string::npos) throw Error("a record's title is one line");
  readExisting(title, resume);
  file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) throw Error(path + ": cannot be written: " + std::strerror(errno));
  if (lseek(file_, 0, SEEK_END) == 0) append(title);
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

void RecordLog::readExisting(const std::string& title, bool resume) {
  std::ifstream in(path_, std::ios::binary);
  if (!in) return;
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  if (!resume && !text.empty())
    throw Error(path_ + ": exists already; use --resume to go on with that run, or remove the file");
  std::size_t whole = 0;
  bool first = true;
  for (std::size_t end; (end = text.find('\n', whole)) != std::string::npos; whole = end + 1) {
    const std::string line = text.substr(whole, end - whole);
    if (first && line != title)
      throw Error(path_ + ": belongs to another run:\n  there: " + line + "\n  here:  " + title);
    if (!first) earlier_.push_back(line);
    first = false;
  }
  if (whole < text.size() && truncate(path_.c_str(), static_cast<off_t>(whole)) != 0)
    throw Error(path_ + ": cannot be cut to its last whole line: " + std::strerror(errno));
}

void RecordLog::append(const std::string& line) {
  if (path_.empty()) return;
  const std::string text = line + "\n";
  const ssize_t written = write(file_, text.data(), text.size());
  if (written != static_cast<ssize_t>(text.size()))
    throw Error(path_ + ": cannot be written: " + (written < 0 ? std::strerror(errno) : "the disk is full"));
}

}  // namespace prophet
