#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/scf/scf.hpp"
#include "core/common/file_handle.hpp"

namespace prophet {

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

/// Texts of one line that differ wherever two problems do, for the titles of state files: every parameter
/// with its shortest exact digits, the same in every locale.

/// Model and parameters of the nucleus; closed and open spinors, average occupations and pair weights (what a
/// list of configurations comes to) of every symmetry; everything in the Hamiltonian.
std::string fingerprint(const AtomProblem& problem);

/// Everything that decides what an SCF gives, or whether it gives anything.
std::string fingerprint(const ScfOptions& scf);

}  // namespace prophet
