#pragma once
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet {

/// A file to whose end one run at a time adds, and from which a killed run is continued.
class GrowingFile {
 public:
  /// Opens or makes it. Throws Error where it cannot be written or another run has it.
  explicit GrowingFile(const std::string& path);
  std::string read() const { return locked_->read(); }
  /// Cuts off what a killed run has not finished.
  void cut(std::size_t bytes);
  /// Adds `text`; a power failure later loses what was added in the last second. Throws Error, and what did
  /// reach the file is cut off when it is opened again.
  void append(std::string_view text);
  /// Replaces all by `text` in one step, the lock included.
  void replace(const std::string& text);

 private:
  void open();

  std::string path_;
  FileHandle file_;
  std::unique_ptr<LockedFile> locked_;
  Stopwatch sinceSync_;
};

/// A log that belongs to another run.
class OtherRunError : public Error {
 public:
  using Error::Error;
};

/// The finished pieces of a work, from which a run that ends early is continued: the store of everything that
/// can be resumed. A log that only grows holds a line that says what the work is, and behind it for each
/// piece a line with its key, its size and checksums, and its content. One run at a time has it.
class FinishedPieces {
 public:
  struct Piece {
    std::string key;  ///< several may have the same
    std::size_t start = 0, size = 0;
  };

  /// Keeps nothing.
  FinishedPieces() = default;
  /// `work`: one line, the kind of the work with a number of its layout, a colon, and all that the pieces
  /// depend on. `resume`: whether to go on with what an earlier run has left. An empty path keeps nothing.
  /// Throws Error where another run has the log, where an earlier one has left pieces and `resume` is not
  /// given, for the log of another work (OtherRunError), for what is no log, and for damaged pieces; the
  /// file stays as it is then.
  FinishedPieces(const std::string& path, const std::string& work, bool resume);
  /// Those of an output that is made of the pieces, in OUTPUT.parts beside it. Throws Error too where the
  /// output cannot be written, and with `resume` where it is finished.
  static FinishedPieces of(const std::string& output, const std::string& work, bool resume);

  const std::vector<Piece>& pieces() const { return pieces_; }
  bool has(const std::string& key) const { return byKey_.contains(key); }
  /// The content of a piece, by its place among pieces() or, the last one, by its key.
  std::string content(std::size_t number) const;
  std::string content(const std::string& key) const { return content(byKey_.at(key)); }
  /// Adds a piece, whose key is one word. Throws Error with the system's reason.
  void keep(const std::string& key, const std::string& content);
  /// Lets a piece take the place of all, in one step.
  void keepAlone(const std::string& key, const std::string& content);
  /// Throws Error with the log and the number of the piece in front of `problem`, for one that makes no
  /// sense.
  [[noreturn]] void refuse(std::size_t number, const std::string& problem) const;
  /// Removes the log.
  void remove();
  const std::string& path() const { return path_; }

 private:
  void add(const std::string& key, std::size_t start, std::size_t size);

  std::string path_, work_;
  std::unique_ptr<GrowingFile> file_;
  std::size_t end_ = 0;  ///< of the log
  std::vector<Piece> pieces_;
  std::map<std::string, std::size_t> byKey_;  ///< the last one of each
};

/// Reads a log of `size` bytes and calls take(piece, content) for each piece; returns where the last whole
/// one ends, before what a kill has cut off. `path` names it in messages. Throws Error as FinishedPieces.
std::size_t readPieces(std::istream& log, std::size_t size, const std::string& work, const std::string& path,
                       const std::function<void(const FinishedPieces::Piece&, const std::string&)>& take);

}  // namespace prophet
