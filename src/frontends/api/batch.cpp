#include "cudaprophet/batch.hpp"

#include "frontends/api/convert.hpp"

namespace cudaprophet {
namespace {

std::vector<Result> resultsFor(const std::vector<BatchJob>& jobs, const BatchSettings& settings) {
  std::vector<Result> results(jobs.size());
  std::vector<std::size_t> places;  // of the jobs that can be made
  prophet::Execution execution = executionOf(settings.device, settings.settings);
  execution.cudaLibrary = settings.cudaLibrary;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    try {
      execution.jobs.push_back(resolved(jobs[i].atom, jobs[i].basis ? &*jobs[i].basis : nullptr,
                                        jobs[i].limit, settings.settings));
      places.push_back(i);
    } catch (const prophet::Error& e) {
      results[i] = resultOf(prophet::failedResult(e.what()), {});
    }
  }
  if (places.empty()) return results;
  if (settings.progress)
    execution.progress = [&, failed = jobs.size() - places.size()](const prophet::Progress& p) {
      settings.progress(failed + p.done, jobs.size());
    };
  const prophet::Record record =
      prophet::findOperation("batch")->run(optionsOf(settings.settings, false), execution);
  for (std::size_t i = 0; i < places.size(); ++i) results[places[i]] = resultOf(*record.results[i]);
  return results;
}

}  // namespace

std::vector<Result> computeAll(const std::vector<BatchJob>& jobs, const BatchSettings& settings) {
  return translated([&] { return resultsFor(jobs, settings); });
}

}  // namespace cudaprophet
