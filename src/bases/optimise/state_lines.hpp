#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/scf/scf.hpp"
#include "core/common/finished_pieces.hpp"

namespace prophet {

/// Pieces of the state files of optimisations: their keys, and lines of numbers, shortest exact digits, the
/// same in every locale. Readers throw Error for a line that no run can have written.

inline constexpr const char *kEvaluation = "e", *kTrial = "trial", *kFit = "fit", *kLimit = "limit";

/// Hands over the content of every piece with this key; an Error of `take` is one of the piece.
template <class Take>
void forPieces(const FinishedPieces& record, const char* key, const Take& take) {
  for (std::size_t i = 0; i < record.pieces().size(); ++i) {
    if (record.pieces()[i].key != key) continue;
    try {
      take(record.content(i));
    } catch (const Error& error) {
      record.refuse(i, error.what());
    }
  }
}

/// One energy of a search: "ENERGY x1 x2 ...". The energy may be "nan": there was none.
struct EvaluationLine {
  double energy = 0;
  std::vector<double> x;
};
std::string textOf(const EvaluationLine& line);
EvaluationLine evaluationLineOf(const std::string& text);

/// An optimised set: "KEY ENERGY EVALUATIONS alpha beta delta gamma ...". The energy may be "nan".
struct TrialLine {
  std::string key;  ///< one word
  double energy = 0;
  int evaluations = 0;
  std::vector<double> parameters;  ///< four for each group
};
std::string textOf(const TrialLine& line);
TrialLine trialLineOf(const std::string& text);

/// An optimised ladder: "SYMMETRY FUNCTIONS alpha beta delta gamma RISE PROLAPSE EVALUATIONS".
struct FitLine {
  int symmetry = 0, functions = 0;
  double alpha = 0, beta = 0, delta = 0, gamma = 0;
  double rise = 0, prolapse = 0;  ///< hartree
  int evaluations = 0;
};
std::string textOf(const FitLine& line);
FitLine fitLineOf(const std::string& text);

/// The numerical limit: "ENERGY", hartree, below 0.
std::string limitLine(double energy);
double limitOf(const std::string& text);

/// Texts of one line that differ wherever two problems do, for the titles of state files (FinishedPieces):
/// every parameter with its shortest exact digits, the same in every locale.

/// Model and parameters of the nucleus; closed and open spinors, average occupations and pair weights (what a
/// list of configurations comes to) of every symmetry; everything in the Hamiltonian.
std::string fingerprint(const AtomProblem& problem);

/// Everything that decides what an SCF gives, or whether it gives anything.
std::string fingerprint(const ScfOptions& scf);

}  // namespace prophet
