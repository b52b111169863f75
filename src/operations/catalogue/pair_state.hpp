#pragma once
#include <string>

#include "core/common/stopwatch.hpp"
#include "matter/pairs/pair_distribution.hpp"
#include "operations/execution/execution.hpp"

namespace prophet {

/// A file that keeps the average over the frames that are done, so that a run that ends early can go on.
class PairState {
 public:
  /// `path`: empty for no file. `description`: one line of what the average is of; a file of another one is
  /// refused. With `resume` an average that is there is taken into `average`; without it one that is there is
  /// refused. Every rank calls it, and gets the same average. Throws SettingError.
  PairState(std::string path, std::string description, bool resume, PairAverage& average,
            const Execution& execution);

  /// Writes the average if the last time is some seconds ago; the first rank only.
  void keep(const PairAverage& average);
  /// The same at once. Throws Error.
  void write(const PairAverage& average);

 private:
  std::string path_, description_;
  bool writes_;
  int written_ = 0;
  Stopwatch watch_;
  double last_ = 0;
};

}  // namespace prophet
