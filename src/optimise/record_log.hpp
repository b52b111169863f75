#pragma once
#include <string>
#include <vector>

namespace prophet {

/// A text file that grows by whole lines, from which a killed run is continued: the first line says what run
/// it belongs to, every other one holds a finished piece of work. Each line goes out with one system call, so
/// at most the last one is cut, and that one is dropped when the file is opened again.
class RecordLog {
 public:
  /// No file: nothing is recorded.
  RecordLog() = default;
  /// Opens `path` for the run that `title` names (one line). With `resume` the lines of an earlier run are
  /// kept; an existing file of another run is an Error, as is any existing file without `resume`. An empty
  /// path records nothing.
  RecordLog(const std::string& path, const std::string& title, bool resume);
  ~RecordLog();
  RecordLog(RecordLog&& other) noexcept;
  RecordLog& operator=(RecordLog&& other) noexcept;

  /// Lines of the earlier run, without the title.
  const std::vector<std::string>& earlier() const { return earlier_; }
  /// Adds a line (without its line end). Throws Error with the system's reason.
  void append(const std::string& line);

 private:
  void readExisting(const std::string& title, bool resume);

  std::string path_;
  int file_ = -1;
  std::vector<std::string> earlier_;
};

}  // namespace prophet
