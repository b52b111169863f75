#pragma once
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "atoms/basis/basis_set.hpp"
#include "bases/optimise/ladder_fit.hpp"
#include "bases/optimise/record_log.hpp"

namespace prophet {

/// Optimised ladders of one atom by symmetry and size: each is computed once, and recorded, so that a
/// continued run finds it again. Several threads may ask at once, each for symmetries of its own: what they
/// get does not depend on the others.
class FitStore {
 public:
  struct Settings {
    MinimiserOptions options;
    int passes = 2;
    double resolution = 0;      ///< of fitLadder, hartree
    double rangeTolerance = 0;  ///< of neededRange, hartree
    bool byGradient = false;    ///< searchLadder instead of fitLadder, where the field has slopes
    int startsAtOnce = 1;       ///< of a search by the gradient
  };
  FitStore(const BasisTrials& field, const BasisSet& reference, const Settings& settings, RecordLog& record);

  /// The ladder of `functions` for a symmetry. Starts from the nearest size that is known, else from the
  /// range that the symmetry needs.
  const FittedLadder& fit(int symmetry, int functions);
  /// A size to begin with: neighbours in the needed range differ by the factor 1.8 on average.
  int firstGuess(int symmetry);
  int fits() const { return fits_; }
  int evaluations() const { return evaluations_; }

 private:
  void load(std::size_t line);
  FittedLadder optimise(int symmetry, int functions);
  FittedLadder optimiseByGradient(int symmetry, int functions);
  WellTemperedParameters startFor(int symmetry, int functions);
  const ExponentRange& range(int symmetry);

  const BasisTrials& field_;
  const BasisSet& reference_;
  Settings settings_;
  RecordLog& record_;
  std::mutex mutex_;  ///< for all that follows; not held while a ladder is optimised
  std::map<std::pair<int, int>, FittedLadder> known_, recorded_;
  std::map<int, ExponentRange> ranges_;
  int fits_ = 0, evaluations_ = 0;
};

}  // namespace prophet
