#pragma once
#include <cstdint>
#include <string>

#include "core/common/finished_pieces.hpp"
#include "core/common/stopwatch.hpp"
#include "matter/pairs/pair_distribution.hpp"
#include "operations/execution/execution.hpp"

namespace prophet {

/// A file that keeps the average over the frames that are done, so that a run that ends early can go on. It
/// has checksums of itself and of these frames, and one run at a time has it.
class PairState {
 public:
  /// `path`: empty for no file. `description`: one line of what the average is of; a file of another one is
  /// refused. With `resume` an average that is there is taken into `average`; without it one that is there is
  /// refused, as are one that was changed and one that another run has. Every rank calls it, and gets the
  /// same average. Throws SettingError.
  PairState(std::string path, const std::string& description, bool resume, PairAverage& average,
            const Execution& execution);

  /// Counts a frame: the first ones are those that the average has already. Throws SettingError with the last
  /// of these, where they are not the frames that it is of. `name`: of the file of the frames.
  void countFrame(const Structure& frame, const std::string& name);
  /// Writes the average if the last time is some seconds ago; the first rank only.
  void keep(const PairAverage& average);
  /// The same at once. Throws Error.
  void write(const PairAverage& average);

 private:
  std::string path_;
  bool writes_;
  FinishedPieces kept_;  ///< of the first rank
  int written_ = 0;
  int keptFrames_ = 0;         ///< frames that the average has from an earlier run
  std::uint32_t keptSum_ = 0;  ///< their checksum
  int counted_ = 0;            ///< frames
  std::uint32_t sum_ = 0;
  Stopwatch watch_;
  double last_ = 0;
};

}  // namespace prophet
