#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/scf/scf.hpp"
#include "core/common/files.hpp"

namespace prophet {

/// What a record (record_log.hpp) holds.
struct RecordText {
  std::vector<std::string> lines;  ///< whole lines after the title; line ends of either kind left out
  std::size_t wholeBytes = 0;  ///< up to the end of the last whole line; what follows was cut off by a kill
};

/// Takes a record's text apart. `title` is the first line that this run's record has; `path` names the file
/// in messages. Throws Error for a text that is no record of this run: it must not be touched then. Of a file
/// without a whole line only the beginning of the title counts as one.
RecordText parseRecord(const std::string& text, const std::string& title, const std::string& path);

/// Lines of the state files of optimisations: a word and numbers, shortest exact digits, the same in every
/// locale. Readers throw Error for a line that no run can have written.

/// One energy of a search: "e ENERGY x1 x2 ...". The energy may be "nan": there was none.
struct EvaluationLine {
  double energy = 0;
  std::vector<double> x;
};
std::string textOf(const EvaluationLine& line);
EvaluationLine evaluationLineOf(const std::string& text);

/// An optimised set: "trial KEY ENERGY EVALUATIONS alpha beta delta gamma ...". The energy may be "nan".
struct TrialLine {
  std::string key;  ///< one word
  double energy = 0;
  int evaluations = 0;
  std::vector<double> parameters;  ///< four for each group
};
std::string textOf(const TrialLine& line);
TrialLine trialLineOf(const std::string& text);

/// An optimised ladder: "fit SYMMETRY FUNCTIONS alpha beta delta gamma RISE PROLAPSE EVALUATIONS".
struct FitLine {
  int symmetry = 0, functions = 0;
  double alpha = 0, beta = 0, delta = 0, gamma = 0;
  double rise = 0, prolapse = 0;  ///< hartree
  int evaluations = 0;
};
std::string textOf(const FitLine& line);
FitLine fitLineOf(const std::string& text);

/// The numerical limit: "limit ENERGY", hartree, below 0.
std::string limitLine(double energy);
double limitOf(const std::string& text);

/// First word of a line: which of the above it is.
std::string kindOfLine(const std::string& text);

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
