#include "bases/optimise/record_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "bases/optimise/record_text.hpp"
#include "core/common/error.hpp"
#include "core/common/file_lock.hpp"
#include "core/common/read_file.hpp"

namespace prophet {
RecordLog::RecordLog(const std::string& path, const std::string& title, bool resume) : path_(path) {
  if (path.empty()) return;
  if (title.empty() || title.find('\n') != std::string::npos) throw Error("a record's title is one line");
  open();
  readExisting(title, resume);
  if (lseek(file_.number(), 0, SEEK_END) == 0) append(title);
}

void RecordLog::open() {
  for (;;) {
    file_ = FileHandle(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
    if (!file_.isOpen()) throw Error(path_ + ": cannot be written: " + std::strerror(errno));
    const bool locked = tryLock(file_);
    if (locked && isStillAt(file_, path_)) return;
    if (!locked) throw Error(path_ + ": another run is writing it; wait for that run to end, or stop it");
  }
}

void RecordLog::readExisting(const std::string& title, bool resume) {
  if (!isRegular(file_)) throw Error(path_ + ": is not a regular file; the state of a run needs one");
  const std::string text = readAll(file_, path_);
  if (!resume && !text.empty())
    throw Error(path_ + ": exists already; use --resume to go on with that run, or remove the file");
  RecordText record = parseRecord(text, title, path_);
  if (record.wholeBytes < text.size() && !cutTo(file_, record.wholeBytes))
    throw Error(path_ + ": cannot be cut to its last whole line: " + std::strerror(errno));
  earlier_ = std::move(record.lines);
}

void RecordLog::refuse(std::size_t line, const std::string& problem) const {
  throw Error(fmt::format("{}:{}: {}; remove the file to begin anew (a best set beside it stays)", path_,
                          line + 2, problem));
}

void RecordLog::append(const std::string& line) {
  if (path_.empty()) return;
  if (const auto cause = appendAtOnce(file_, line + "\n"))
    throw Error(fmt::format("{}: cannot be written: {}; make room and go on with --resume", path_, *cause));
}

}  // namespace prophet
