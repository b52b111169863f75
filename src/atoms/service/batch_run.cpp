#include "atoms/service/batch_run.hpp"

#include <fmt/format.h>

#include <memory>
#include <set>

#include "atoms/service/batch_ranks.hpp"
#include "core/common/stopwatch.hpp"
#include "core/ranks/agree.hpp"

namespace prophet {
namespace {

constexpr int kFailureStatus = 1;

void requireDistinctIds(const std::vector<std::string>& ids) {
  std::set<std::string> seen;
  for (const std::string& id : ids) {
    if (id.empty()) throw Error("a job of the batch has no id");
    if (!seen.insert(id).second)
      throw Error(fmt::format("two jobs of the batch are called '{}'; name every job once", id));
  }
}

/// Notes of all ranks, those of several ranks with the rank's number.
std::vector<std::string> gatherNotes(Ranks& ranks, const EnergyService& service) {
  std::string mine;
  for (const std::string& note : service.notes()) {
    mine += (ranks.size() > 1 ? fmt::format("rank {}: ", ranks.rank()) : "") + note + "\n";
  }
  std::vector<std::string> notes;
  for (const std::string& text : ranks.allGather(mine)) {
    for (std::size_t start = 0; start < text.size(); start = text.find('\n', start) + 1)
      notes.push_back(text.substr(start, text.find('\n', start) - start));
  }
  return notes;
}

}  // namespace

BatchSummary runBatch(EnergyService& service, const BatchJobs& jobs, const BatchOptions& options,
                      Ranks& ranks, const BatchProgress& progress) {
  const Stopwatch watch;
  std::unique_ptr<JsonLinesFile> file;
  together(ranks, kFailureStatus, [&] {
    requireDistinctIds(jobs.ids);
    if (ranks.rank() == 0)
      file = std::make_unique<JsonLinesFile>(options.output, options.resume, options.retry);
  });
  JobRunner runner(service, jobs, options.loadThreads);
  BatchSummary summary;
  if (ranks.rank() == 0) {
    summary = coordinate(ranks, runner, service.sideBySide(), jobs, *file, progress);
  } else {
    workForFirstRank(ranks, runner, service.sideBySide());
  }
  summary.notes = gatherNotes(ranks, service);
  summary.seconds = watch.seconds();
  return summary;
}

BatchSummary runBatch(EnergyService& service, const BatchJobs& jobs, const BatchOptions& options,
                      const BatchProgress& progress) {
  SingleRank alone;
  return runBatch(service, jobs, options, alone, progress);
}

BatchSummary runBatch(EnergyService& service, const std::vector<BatchItem>& items,
                      const BatchOptions& options, const BatchProgress& progress) {
  BatchJobs jobs;
  for (const BatchItem& item : items) jobs.ids.push_back(item.id);
  jobs.load = [&](std::size_t i) { return items[i]; };
  return runBatch(service, jobs, options, progress);
}

}  // namespace prophet
