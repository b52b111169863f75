#include "core/common/finished_pieces.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "core/common/checksum.hpp"
#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr const char* kLog = "log";

/// "h5=0a1b2c3d".
std::string entryOf(const std::string& ending, const std::string& content) {
  return fmt::format("{}={:08x}", ending, checksumOf(content));
}

}  // namespace

FinishedPieces::FinishedPieces(const std::string& output, const std::string& work, bool resume)
    : folder_(followLinks(output) + ".parts") {
  namespace fs = std::filesystem;
  requireWritable(output);
  // Beside a device there is no place for a folder; beside a pipe there is.
  const fs::file_status status = fs::status(output);
  if (fs::is_character_file(status) || fs::is_block_file(status))
    throw Error(
        fmt::format("{} is a device, beside which what is finished cannot be kept; name a file", output));
  openFolder(output, resume);
  const std::string log = fs::path(folder_) / kLog;
  std::error_code missing;
  const bool begun = fs::file_size(log, missing) > 0 && !missing;
  const std::string left = folder_ +
                           " holds what a run that was interrupted, or of which something failed, has "
                           "finished; continue it with resume, or remove that folder";
  try {
    log_ = std::make_unique<RecordLog>(log, work, true);
  } catch (const OtherRunError&) {
    if (resume) throw;
    throw Error(left);
  } catch (const Error&) {
    std::error_code none;
    if (fs::exists(folder_, none)) throw;
    throw Error(
        fmt::format("another run of {} has just ended; repeat this one if it is still needed", output));
  }
  if (!resume && begun) throw Error(left);
  std::map<std::string, std::vector<std::string>> entries;  // the last line of a piece counts
  for (std::size_t i = 0; i < log_->earlier().size(); ++i) {
    std::vector<std::string> words = splitWords(log_->earlier()[i]);
    if (words.size() < 2)
      throw Error(fmt::format("{}:{}: no line of a finished piece; {} is damaged: remove it to start again",
                              log, i + 2, folder_));
    entries[words.front()].assign(words.begin() + 1, words.end());
  }
  for (const auto& [piece, its] : entries) readPiece(piece, its);
}

void FinishedPieces::openFolder(const std::string& output, bool resume) const {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::file_status status = fs::symlink_status(folder_, failed);
  if (!fs::exists(status)) {
    if (resume && fs::exists(output)) throw Error(output + " is finished; there is nothing to continue");
    if (!fs::create_directory(folder_, failed) && failed)
      throw Error(fmt::format("cannot make the folder {}: {}", folder_, failed.message()));
    return;
  }
  // A run that was killed between its first two steps has left an empty folder.
  const bool ours = fs::is_directory(status) && (fs::is_regular_file(fs::path(folder_) / kLog, failed) ||
                                                 (resume && fs::is_empty(folder_, failed)));
  if (!ours)
    throw Error(fmt::format(
        "{} is there, and is not what a run of this program has left; move it away, or name another output",
        folder_));
}

std::string FinishedPieces::file(const std::string& piece, const std::string& ending) const {
  return (std::filesystem::path(folder_) / (piece + "." + ending)).string();
}

void FinishedPieces::readPiece(const std::string& piece, const std::vector<std::string>& entries) {
  std::vector<std::string> endings;
  for (const std::string& entry : entries) {
    endings.push_back(entry.substr(0, entry.find('=')));
    std::error_code none;
    if (!std::filesystem::exists(file(piece, endings.back()), none)) return;
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string path = file(piece, endings[i]);
    if (entryOf(endings[i], readFile(path)) != entries[i])
      throw Error(path +
                  " is damaged, or not the file that the run has written (its checksum differs); remove it, "
                  "and the piece is computed again");
  }
  pieces_[piece] = endings;
}

void FinishedPieces::keep(const std::string& piece, const Files& files) {
  std::string line = piece;
  std::vector<std::string> endings;
  for (const auto& [ending, content] : files) {
    line += " " + entryOf(ending, content);
    endings.push_back(ending);
  }
  log_->append(line);  // first: a piece is finished when all its files are there too
  for (const auto& [ending, content] : files) writeFileAtomically(file(piece, ending), content);
  pieces_[piece] = endings;
}

bool FinishedPieces::remove() {
  namespace fs = std::filesystem;
  std::error_code failed;
  for (const auto& [piece, endings] : pieces_)
    for (const std::string& ending : endings) fs::remove(file(piece, ending), failed);
  fs::remove(fs::path(folder_) / kLog, failed);
  log_.reset();
  return fs::remove(folder_, failed);
}

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
