#pragma once
#include <cstddef>
#include <string>
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

}  // namespace prophet
