#pragma once
#include <string>
#include <vector>

#include "atoms/service/batch_run.hpp"

namespace prophet {

/// What the output of a batch says about its jobs.
struct OutputTally : JobTally {
  std::vector<std::string> bad;  ///< "id: reason" of every job that is not converged
};

/// Reads the lines of these jobs; others, of a longer earlier run, do not count. Throws Error if the file
/// cannot be read.
OutputTally tallyJsonLines(const std::string& path, const std::vector<std::string>& ids);

/// "1 job", "2 jobs".
std::string countOfJobs(std::size_t count);

/// The end of a batch in words: counts, seconds, the first jobs that went wrong, and notes.
std::string summaryText(const OutputTally& tally, const BatchSummary& run);

}  // namespace prophet
