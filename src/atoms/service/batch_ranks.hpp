#pragma once
#include "atoms/service/batch_run.hpp"
#include "atoms/service/job_runner.hpp"
#include "atoms/service/json_lines.hpp"
#include "core/ranks/ranks.hpp"

namespace prophet {

/// Rank 0 of a batch: hands out the jobs that the file lacks, writes what comes back, and computes too.
/// Returns when all is done and every other rank knows it.
BatchSummary coordinate(Ranks& ranks, JobRunner& runner, int sideBySide, const BatchJobs& jobs,
                        JsonLinesFile& file, const BatchProgress& progress);

/// Every other rank: asks for jobs, computes, sends results as they come, until there is no more to do.
void workForFirstRank(Ranks& ranks, JobRunner& runner, int sideBySide);

/// How many jobs a rank gets that holds `held`, of `unfinished` ones anywhere: half of what it lacks of an
/// even share, so that late shares are small and all ranks end together (all of it where there is one rank).
/// At least sideBySide / 16 (and 1), even where it lacks none or fewer are left: the caller gives what there
/// is. At most 16 sideBySide. `sideBySide`: jobs that the rank computes at once; below 1 it counts as 1.
std::size_t shareOf(std::size_t unfinished, std::size_t held, int ranks, int sideBySide);

}  // namespace prophet
