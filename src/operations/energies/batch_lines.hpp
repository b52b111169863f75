#pragma once
#include <string>
#include <vector>

#include "atoms/service/batch_run.hpp"
#include "operations/record/record.hpp"

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

/// The columns of the table of so many jobs, without their values.
Table batchTable(std::size_t jobs);

/// A row for each of these jobs in this order, from its last line in the file of JSON lines
/// (docs/how-to/batches.md). Throws Error if the file cannot be read.
Table batchTable(const std::string& linesPath, const std::vector<std::string>& ids);
/// The same as CSV, behind a comment.
std::string batchCsv(const Table& table);

/// The ionisation, affinity and excitation energies among these jobs, as a table of text; a sentence where
/// there are none. Throws Error if the file cannot be read.
std::string batchDifferences(const std::string& linesPath, const std::vector<std::string>& ids);

}  // namespace prophet
