#include "core/common/record_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace prophet {
namespace {

/// Length of a title of which a message shows all.
constexpr std::size_t kShown = 160;

/// Texts that are longer than a line of a message, from shortly before the first byte in which they differ.
std::string shown(std::string_view text, std::size_t difference) {
  if (text.size() <= kShown) return std::string(text);
  const std::size_t start = difference > kShown / 2 ? difference - kShown / 2 : 0;
  return fmt::format("{}{}{}", start > 0 ? "..." : "", text.substr(start, kShown),
                     start + kShown < text.size() ? "..." : "");
}

std::string withoutReturn(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return std::string(line);
}

/// Everything up to the colon: the kind of run and the version of its record.
std::string_view kindOf(std::string_view title) { return title.substr(0, title.find(':')); }

void requireTitle(const std::string& there, const std::string& title, const std::string& path) {
  if (there == title) return;
  const std::string_view kind = kindOf(title), word = kind.substr(0, kind.find(' '));
  if (there.compare(0, word.size(), word) != 0)
    throw Error(path + ": is not the state of a run of this program; move it away, or rename the input file");
  if (kindOf(there) != kind)
    throw OtherRunError(
        fmt::format("{}: was written by another version of this program ('{}', this one writes '{}'); "
                    "remove it to start again",
                    path, shown(kindOf(there), 0), kind));
  const std::size_t same = std::min(there.size(), title.size());
  const std::size_t difference = static_cast<std::size_t>(
      std::mismatch(there.begin(), there.begin() + static_cast<std::ptrdiff_t>(same), title.begin()).first -
      there.begin());
  throw OtherRunError(
      fmt::format("{}: belongs to another run; restore the input that it was made with, or remove it to "
                  "start again:\n  there: {}\n  here:  {}",
                  path, shown(there, difference), shown(title, difference)));
}

}  // namespace

RecordText parseRecord(const std::string& text, const std::string& title, const std::string& path) {
  RecordText record;
  bool first = true;
  for (std::size_t end; (end = text.find('\n', record.wholeBytes)) != std::string::npos;) {
    const std::string line =
        withoutReturn(std::string_view(text).substr(record.wholeBytes, end - record.wholeBytes));
    if (first) {
      requireTitle(line, title, path);
    } else {
      record.lines.push_back(line);
    }
    first = false;
    record.wholeBytes = end + 1;
  }
  if (first && title.compare(0, text.size(), text) != 0)
    throw Error(path + ": is not the state of a run of this program; move it away, or rename the input file");
  return record;
}

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
  if (!resume && !text.empty()) throw Error(path_ + ": exists already; resume that run, or remove the file");
  RecordText record = parseRecord(text, title, path_);
  if (record.wholeBytes < text.size() && !cutTo(file_, record.wholeBytes))
    throw Error(path_ + ": cannot be cut to its last whole line: " + std::strerror(errno));
  earlier_ = std::move(record.lines);
}

void RecordLog::refuse(std::size_t line, const std::string& problem) const {
  throw Error(fmt::format("{}:{}: {}; remove the file to start again (a best set beside it is kept)", path_,
                          line + 2, problem));
}

void RecordLog::append(const std::string& line) {
  if (path_.empty()) return;
  if (const auto cause = appendAtOnce(file_, line + "\n"))
    throw Error(fmt::format("{}: cannot be written: {}; make room and resume", path_, *cause));
}

}  // namespace prophet
