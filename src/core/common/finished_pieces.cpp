#include "core/common/finished_pieces.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "core/common/checksum.hpp"
#include "core/common/failure.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr double kSecondsBetweenSyncs = 1;
/// Length of a title of which a message shows all.
constexpr std::size_t kShown = 160;

/// Texts that are longer than a line of a message, from shortly before the first byte in which they differ.
std::string shown(std::string_view text, std::size_t difference) {
  if (text.size() <= kShown) return std::string(text);
  const std::size_t start = difference > kShown / 2 ? difference - kShown / 2 : 0;
  return fmt::format("{}{}{}", start > 0 ? "..." : "", text.substr(start, kShown),
                     start + kShown < text.size() ? "..." : "");
}

/// Everything up to the colon: the kind of the work and the version of its layout.
std::string_view kindOf(std::string_view work) { return work.substr(0, work.find(':')); }

void requireOurs(const std::string& there, const std::string& work, const std::string& path) {
  const std::string_view kind = kindOf(work);
  if (there.compare(0, kind.find(' '), kind, 0, kind.find(' ')) != 0)
    throw Error(path + ": is not the state of a run of this program; move it away, or name another file");
}

void requireSame(const std::string& there, const std::string& work, const std::string& path) {
  requireOurs(there, work, path);
  if (there == work) return;
  if (kindOf(there) != kindOf(work))
    throw OtherRunError(
        fmt::format("{}: was written by another version of this program ('{}', this one writes '{}'); "
                    "remove it to start again",
                    path, shown(kindOf(there), 0), kindOf(work)));
  const auto difference = static_cast<std::size_t>(
      std::mismatch(there.begin(), there.end(), work.begin(), work.end()).first - there.begin());
  throw OtherRunError(
      fmt::format("{}: belongs to another run; restore the input that it was made with, or remove it to "
                  "start again:\n  there: {}\n  here:  {}",
                  path, shown(there, difference), shown(work, difference)));
}

/// "KEY SIZE CHECKSUM CHECKSUM": of the content, and of all before the last one.
std::string headOfPiece(const std::string& key, std::string_view content) {
  const std::string head = fmt::format("{} {} {:08x}", key, content.size(), checksumOf(content));
  return fmt::format("{} {:08x}\n", head, checksumOf(head));
}

/// The key and the size that such a line states; nothing where it is another line.
std::optional<FinishedPieces::Piece> pieceOf(const std::string& head) {
  const std::size_t last = head.rfind(' ');
  if (last == std::string::npos ||
      head.substr(last) != fmt::format(" {:08x}", checksumOf(head.substr(0, last))))
    return std::nullopt;
  const std::vector<std::string> words = splitWords(head);
  FinishedPieces::Piece piece{words.front()};
  if (words.size() == 4) std::from_chars(words[1].data(), words[1].data() + words[1].size(), piece.size);
  return piece;
}

/// The first line of a log; empty where there is none.
std::string titleOf(std::istream& log) {
  std::string title;
  return std::getline(log, title) && !log.eof() ? title : "";
}

}  // namespace

GrowingFile::GrowingFile(const std::string& path) : path_(path) {
  do {
    open();
    locked_ = std::make_unique<LockedFile>(path, LockedFile::Wait::Refuse);
  } while (!isStillAt(file_, path));
}

void GrowingFile::open() {
  file_ = FileHandle(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666));
  if (!file_.isOpen()) throw Error(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  if (!isRegular(file_))
    throw Error(path_ + " is not a regular file; what is finished is read again, so name a file");
}

void GrowingFile::cut(std::size_t bytes) {
  if (!cutTo(file_, bytes))
    throw FailureError(fmt::format("{}: cannot be cut to what is whole: {}", path_, std::strerror(errno)));
}

void GrowingFile::append(std::string_view text) {
  if (const auto cause = appendAll(file_, text))
    throw FailureError(fmt::format("cannot write {}: {}; make room and resume", path_, *cause));
  if (sinceSync_.seconds() < kSecondsBetweenSyncs) return;
  ::fdatasync(file_.number());
  sinceSync_ = Stopwatch();
}

void GrowingFile::replace(const std::string& text) {
  locked_->replace(text);
  open();
}

std::size_t readPieces(std::istream& log, std::size_t size, const std::string& work, const std::string& path,
                       const std::function<void(const FinishedPieces::Piece&, const std::string&)>& take) {
  requireSame(titleOf(log), work, path);
  std::size_t end = work.size() + 1, number = 0;
  for (std::string head, content; std::getline(log, head) && !log.eof(); ++number) {
    auto piece = pieceOf(head);
    const auto requireWhole = [&](bool whole) {
      if (!whole)
        throw Error(
            fmt::format("{}: piece {}{} is damaged (its checksum differs); remove the file to start "
                        "again",
                        path, number + 1, piece ? ", " + piece->key + "," : ""));
    };
    requireWhole(piece.has_value());
    piece->start = end + head.size() + 1;
    if (piece->size >= size - piece->start) break;
    content.resize(piece->size);
    log.read(content.data(), static_cast<std::streamsize>(piece->size));
    requireWhole(log.get() == '\n' && headOfPiece(piece->key, content) == head + "\n");
    take(*piece, content);
    end = piece->start + piece->size + 1;
  }
  return end;
}

FinishedPieces::FinishedPieces(const std::string& path, const std::string& work, bool resume)
    : path_(path), work_(work) {
  if (path.empty()) return;
  if (work.empty() || work.find('\n') != std::string::npos) throw Error("the title of a log is one line");
  file_ = std::make_unique<GrowingFile>(path);
  std::ifstream log(path, std::ios::binary);
  std::size_t size = std::filesystem::file_size(path);
  if (size <= work.size() + 1 && file_->read() == (work + "\n").substr(0, size)) {  // no piece yet
    file_->cut(0);
    size = 0;
  }
  if (size > 0) {
    if (!resume) {
      requireOurs(titleOf(log), work, path);
      throw Error(path +
                  ": holds what a run that was interrupted, or of which something failed, has finished; "
                  "continue it with resume=.true., or remove that file");
    }
    end_ = readPieces(log, size, work, path,
                      [&](const Piece& p, const std::string&) { add(p.key, p.start, p.size); });
    if (end_ < size) file_->cut(end_);
  } else {
    file_->append(work + "\n");
    end_ = work.size() + 1;
  }
}

FinishedPieces FinishedPieces::of(const std::string& output, const std::string& work, bool resume) {
  namespace fs = std::filesystem;
  requireWritable(output);
  // Beside a device there is no place for a file; beside a pipe there is.
  const fs::file_status status = fs::status(output);
  if (fs::is_character_file(status) || fs::is_block_file(status))
    throw Error(
        fmt::format("{} is a device, beside which what is finished cannot be kept; name a file", output));
  const std::string path = followLinks(output) + ".parts";
  if (fs::is_symlink(path))
    throw Error(path + " is a link, which no run of this program has left; move it away");
  if (resume && !fs::exists(path) && fs::exists(output))
    throw Error(
        fmt::format("{0} is there, and no {0}.parts beside it, which a run that is interrupted leaves: it is "
                    "finished, or another file; there is nothing to continue",
                    output));
  return {path, work, resume};
}

std::string FinishedPieces::content(std::size_t number) const {
  const Piece& piece = pieces_.at(number);
  std::ifstream log(path_, std::ios::binary);
  std::string content(piece.size, '\0');
  log.seekg(static_cast<std::streamoff>(piece.start));
  if (!log.read(content.data(), static_cast<std::streamsize>(piece.size)))
    throw Error(path_ + ": cannot be read");
  return content;
}

void FinishedPieces::add(const std::string& key, std::size_t start, std::size_t size) {
  byKey_[key] = pieces_.size();
  pieces_.push_back({key, start, size});
}

void FinishedPieces::keep(const std::string& key, const std::string& content) {
  if (!file_) return;
  const std::string head = headOfPiece(key, content);
  // One after the other, as a copy of what is large takes as long as writing it.
  file_->append(head);
  file_->append(content);
  file_->append("\n");
  add(key, end_ + head.size(), content.size());
  end_ += head.size() + content.size() + 1;
}

void FinishedPieces::keepAlone(const std::string& key, const std::string& content) {
  if (!file_) return;
  const std::string head = work_ + "\n" + headOfPiece(key, content);
  file_->replace(head + content + "\n");
  pieces_.clear();
  byKey_.clear();
  add(key, head.size(), content.size());
  end_ = head.size() + content.size() + 1;
}

void FinishedPieces::refuse(std::size_t number, const std::string& problem) const {
  throw Error(fmt::format("{}: piece {}: {}; remove the file to start again (a best set beside it is kept)",
                          path_, number + 1, problem));
}

void FinishedPieces::remove() {
  if (file_) ::unlink(path_.c_str());
  file_.reset();
}

}  // namespace prophet
