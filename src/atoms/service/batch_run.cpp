#include "atoms/service/batch_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <memory>
#include <set>

#include "atoms/calculation/problem_json.hpp"
#include "atoms/properties/nuclear_region.hpp"
#include "atoms/properties/properties.hpp"
#include "atoms/service/json_lines.hpp"
#include "core/common/index.hpp"
#include "core/common/stopwatch.hpp"
#include "core/ranks/ranks.hpp"

namespace prophet {
namespace {

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
  together(ranks, [&] {
    requireDistinctIds(jobs.ids);
    if (ranks.rank() > 0) return;
    file = std::make_unique<JsonLinesFile>(options.output, options.resume, options.retry);
    for (std::size_t i = 0; jobs.input && i < jobs.ids.size(); ++i)
      if (file->ids().contains(jobs.ids[i])) file->requireInput(jobs.ids[i], jobs.input(i));
  });
  BatchSummary summary;
  summary.total = jobs.ids.size();
  std::vector<int> missing;
  for (std::size_t i = 0; file && i < jobs.ids.size(); ++i)
    if (!file->ids().contains(jobs.ids[i]) || (jobs.again && jobs.again(i)))
      missing.push_back(static_cast<int>(i));
  summary.skipped = summary.total - missing.size();
  std::size_t finished = summary.skipped;
  std::future<void> writing;  // jobs go on while lines are written
  const auto keep = [&](const std::vector<FinishedWork>& list) {
    std::string lines;
    for (const FinishedWork& work : list) {
      // One that ran again for something else (a result file) has its line.
      if (!file->ids().contains(jobs.ids[usize(work.number)])) lines += work.bytes.substr(1);
      summary.count(static_cast<Status>(work.bytes.front() - '0'));
    }
    if (writing.valid()) writing.get();
    writing = std::async(std::launch::async, [&file, text = std::move(lines)] { file->append(text); });
    finished += list.size();
    if (progress) progress(finished, summary.total);
  };
  JobRunner runner(service, jobs, options.loadThreads);
  forMany(ranks, missing, runner, keep);
  if (writing.valid()) writing.get();
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

using namespace std::chrono_literals;

namespace {

/// Jobs that one thread makes ready before results are looked at again: some milliseconds.
constexpr std::size_t kLoadedAtOnce = 32;
/// Lines that a thread writes at a time: some 0.2 ms, for less no other thread is woken.
constexpr int kLinesAtOnce = 32;

}  // namespace

void JobRunner::start(const std::vector<int>& numbers) {
  lastShare_ = numbers.size();
  running_ += numbers.size();
  waiting_.insert(waiting_.end(), numbers.begin(), numbers.end());
}

void JobRunner::submit(std::size_t number) {
  BatchItem item = jobs_.load(number);
  if (!item.calculation) {
    outcomes_->put({number, failedResult(item.error), nullptr, nullptr});
    return;
  }
  // Shared, so that the thread of the service that calls back copies nothing.
  nlohmann::ordered_json job = jobJson(*item.calculation);
  if (!item.input.empty()) job[kInputChecksum] = item.input;
  auto description = std::make_shared<const nlohmann::ordered_json>(std::move(job));
  std::shared_ptr<const Calculation> kept;
  if (jobs_.finished || jobs_.properties) kept = std::make_shared<Calculation>(*item.calculation);
  service_.submit(std::move(*item.calculation),
                  [outcomes = outcomes_, number, description = std::move(description), kept,
                   warnings = std::move(item.warnings)](Result result) {
                    result.warnings.insert(result.warnings.begin(), warnings.begin(), warnings.end());
                    outcomes->put({number, std::move(result), description, kept});
                  });
}

void JobRunner::submitSome() {
  const auto count = std::min(waiting_.size(), kLoadedAtOnce * usize(loaders_.threads()));
  loaders_.forEach(static_cast<int>(count), [&](int i, int) { submit(usize(waiting_[usize(i)])); });
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
}

bool JobRunner::wantsMore() const {
  return running_ <= std::max(lastShare_ / 2, usize(service_.sideBySide()));
}

std::string JobRunner::lineOf(const Outcome& o) const {
  static const nlohmann::ordered_json kNothing = nlohmann::ordered_json::object();
  const std::string& id = jobs_.ids[o.number];
  if (!jobs_.properties || !o.calculation || !o.result.wavefunction)
    return jsonLine(id, o.result, o.job ? *o.job : kNothing);
  const Properties properties = propertiesOf(*o.calculation, o.result);
  nlohmann::ordered_json job = *o.job;
  for (const PropertyTable& table : properties.tables) {
    if (table.key == "nucleus") job["properties"]["nucleus"] = propertyJson(table);
  }
  Result result = o.result;
  result.warnings = allWarnings(o.result, properties);
  return jsonLine(id, result, job);
}

std::vector<FinishedWork> JobRunner::take(std::chrono::microseconds patience) {
  submitSome();
  auto outcomes = outcomes_->takeAll(waiting_.empty() ? patience : 0us);
  std::vector<FinishedWork> finished(outcomes.size());
  const int count = static_cast<int>(outcomes.size());
  loaders_.forEach((count + kLinesAtOnce - 1) / kLinesAtOnce, [&](int part, int) {
    const int first = part * kLinesAtOnce, last = std::min(count, first + kLinesAtOnce);
    for (auto i = usize(first); i < usize(last); ++i) {
      Outcome& o = outcomes[i];
      finished[i] = {static_cast<int>(o.number),
                     std::to_string(static_cast<int>(o.result.status)) + lineOf(o)};
      // Freed here, on all threads; results with a calculation are still wanted.
      if (!o.calculation) o = {};
    }
  });
  for (const Outcome& o : outcomes) {
    if (o.calculation && jobs_.finished) jobs_.finished(o.number, *o.calculation, o.result);
  }
  running_ -= finished.size();
  return finished;
}

}  // namespace prophet
