#pragma once
#include <cstddef>
#include <string>
#include <vector>

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

}  // namespace prophet
