#include "service/batch_run.hpp"

#include <fmt/format.h>

#include <set>

#include "common/error.hpp"
#include "common/stopwatch.hpp"
#include "service/json_lines.hpp"

namespace prophet {
namespace {

void requireDistinctIds(const std::vector<BatchItem>& items) {
  std::set<std::string> seen;
  for (const BatchItem& item : items) {
    if (item.id.empty()) throw Error("a job of the batch has no id");
    if (!seen.insert(item.id).second) {
      throw Error(fmt::format("two jobs of the batch are called '{}'; name every job once", item.id));
    }
  }
}

void count(const EnergyOutcome& outcome, BatchSummary& summary) {
  switch (outcome.status) {
    case EnergyStatus::Converged:
      ++summary.converged;
      break;
    case EnergyStatus::NotConverged:
      ++summary.notConverged;
      break;
    case EnergyStatus::Failed:
      ++summary.failed;
      break;
  }
}

EnergyOutcome withoutRequest(const BatchItem& item) {
  EnergyOutcome outcome;
  outcome.id = item.id;
  outcome.reason = item.error;
  return outcome;
}

}  // namespace

BatchSummary runBatch(EnergyService& service, const std::vector<BatchItem>& items,
                      const BatchOptions& options, const BatchProgress& progress) {
  const Stopwatch watch;
  requireDistinctIds(items);
  JsonLinesFile file(options.output, options.resume);
  BatchSummary summary;
  summary.total = items.size();
  std::size_t finished = 0;
  std::vector<EnergyRequest> requests;
  const auto finish = [&](const EnergyOutcome& outcome) {
    file.append(jsonLine(outcome));
    count(outcome, summary);
    if (progress) progress(++finished, items.size(), outcome);
  };
  for (const BatchItem& item : items) {
    if (file.ids().count(item.id)) ++summary.skipped;
  }
  finished = summary.skipped;
  for (const BatchItem& item : items) {
    if (file.ids().count(item.id)) continue;
    if (!item.request) {
      finish(withoutRequest(item));
      continue;
    }
    requests.push_back(*item.request);
    requests.back().id = item.id;
  }
  service.evaluateAll(requests, [&](std::size_t, const EnergyOutcome& outcome) { finish(outcome); });
  summary.seconds = watch.seconds();
  return summary;
}

}  // namespace prophet
