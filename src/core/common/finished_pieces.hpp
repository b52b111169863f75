#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/common/error.hpp"
#include "core/common/files.hpp"

namespace prophet {

/// What a record of a run holds.
struct RecordText {
  std::vector<std::string> lines;  ///< whole lines after the title; line ends of either kind left out
  std::size_t wholeBytes = 0;  ///< up to the end of the last whole line; what follows was cut off by a kill
};

/// A record that belongs to another run.
class OtherRunError : public Error {
 public:
  using Error::Error;
};

/// Takes a record's text apart. `title` is the first line that this run's record has; `path` names the file
/// in messages. Throws Error for a text that is no record of this run: it must not be touched then. Of a file
/// without a whole line only the beginning of the title counts as one.
RecordText parseRecord(const std::string& text, const std::string& title, const std::string& path);

/// A text file that grows by whole lines, from which a killed run is continued: the first line says what run
/// it belongs to, every other one holds a finished piece of work. Each line goes out with one system call, so
/// at most the last one is cut, and that one is dropped when the file is opened again. One run at a time may
/// have it open.
class RecordLog {
 public:
  /// No file: nothing is recorded.
  RecordLog() = default;
  /// Opens `path` for the run that `title` names (one line: kind and version of the record, a colon, and all
  /// that the run depends on). With `resume` the lines of an earlier run are kept; an existing file of
  /// another run, or one that is no record at all, is an Error and stays as it is, as does any existing file
  /// without `resume` and one that another run has open. An empty path records nothing.
  RecordLog(const std::string& path, const std::string& title, bool resume);

  /// Lines of the earlier run, without the title.
  const std::vector<std::string>& earlier() const { return earlier_; }
  /// Throws Error with file and line in front of `problem`, for a line of earlier() that makes no sense.
  [[noreturn]] void refuse(std::size_t line, const std::string& problem) const;
  /// Adds a line (without its line end). Throws Error with the system's reason.
  void append(const std::string& line);

 private:
  void open();
  void readExisting(const std::string& title, bool resume);

  std::string path_;
  FileHandle file_;
  std::vector<std::string> earlier_;
};

/// The finished pieces of a work, in a folder OUTPUT.parts beside the output that they will become, so that a
/// run that ends early can go on. A log (RecordLog) says what the work is and, with checksums, which files
/// make a finished piece when all are there; nothing else there is read, replaced or removed. One run at a
/// time has it.
class FinishedPieces {
 public:
  using Files = std::vector<std::pair<std::string, std::string>>;  ///< ending and content: {"h5", "..."}

  /// `work`: one line, the kind of the work with a number of its layout, a colon, and all that the pieces
  /// depend on. `resume`: whether to go on with what an earlier run has left. Throws Error where `output`
  /// cannot be written, where another run has the folder, where an earlier one has left pieces and `resume`
  /// is not given, or of another work; where there is something of that name that no run has left; and for
  /// pieces that are not as they were written.
  FinishedPieces(const std::string& output, const std::string& work, bool resume);

  bool has(const std::string& piece) const { return pieces_.count(piece) > 0; }
  /// The file of a piece with this ending.
  std::string file(const std::string& piece, const std::string& ending) const;
  /// Keeps a piece, whose name is one word that may be a file's. Throws Error.
  void keep(const std::string& piece, const Files& files);
  /// Removes what this and earlier runs have kept, and the folder. False if something of others is in it, so
  /// that it stays.
  bool remove();
  const std::string& folder() const { return folder_; }

 private:
  void openFolder(const std::string& output, bool resume) const;
  void readPiece(const std::string& piece, const std::vector<std::string>& entries);

  std::string folder_;
  std::unique_ptr<RecordLog> log_;
  std::map<std::string, std::vector<std::string>> pieces_;  ///< the endings of each
};

}  // namespace prophet
