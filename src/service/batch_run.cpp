#include "service/batch_run.hpp"

#include "common/stopwatch.hpp"
#include "service/batch_tally.hpp"
#include "service/json_lines.hpp"

namespace prophet {

BatchSummary runBatch(EnergyService& service, const std::vector<BatchItem>& items,
                      const BatchOptions& options, const BatchProgress& progress) {
  const Stopwatch watch;
  requireDistinctIds(items);
  JsonLinesFile file(options.output, options.resume);
  BatchTally tally(items.size());
  const auto finish = [&](const EnergyOutcome& outcome) {
    file.append(jsonLine(outcome));
    tally.count(outcome);
    if (progress) progress(tally.finished(), items.size(), outcome);
  };
  for (const BatchItem& item : items) {
    if (file.ids().count(item.id)) tally.skip();
  }
  std::vector<EnergyRequest> requests;
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
  BatchSummary summary = tally.summary();
  summary.seconds = watch.seconds();
  return summary;
}

}  // namespace prophet
