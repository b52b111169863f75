#include "atoms/service/batch_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <future>
#include <memory>
#include <set>
#include <sstream>

#include "atoms/calculation/problem_json.hpp"
#include "atoms/properties/nuclear_region.hpp"
#include "atoms/properties/properties.hpp"
#include "atoms/service/json_lines.hpp"
#include "core/common/stopwatch.hpp"
#include "core/ranks/ranks.hpp"

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

void JobRunner::submit(std::size_t job) {
  BatchItem item = jobs_.load(job);
  if (!item.calculation) {
    outcomes_->put({job, failedResult(item.error), nullptr, nullptr});
    return;
  }
  // Shared, so that the thread of the service that calls back copies nothing.
  auto description = std::make_shared<const nlohmann::ordered_json>(jobJson(*item.calculation));
  std::shared_ptr<const Calculation> kept;
  if (jobs_.finished || jobs_.properties) kept = std::make_shared<Calculation>(*item.calculation);
  service_.submit(std::move(*item.calculation),
                  [outcomes = outcomes_, job, description = std::move(description), kept,
                   warnings = std::move(item.warnings)](Result result) {
                    result.warnings.insert(result.warnings.begin(), warnings.begin(), warnings.end());
                    outcomes->put({job, std::move(result), description, kept});
                  });
}

void JobRunner::submitSome() {
  const auto count = std::min(waiting_.size(), kLoadedAtOnce * static_cast<std::size_t>(loaders_.threads()));
  loaders_.forEach(static_cast<int>(count), [&](int i, int) {
    submit(static_cast<std::size_t>(waiting_[static_cast<std::size_t>(i)]));
  });
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
}

bool JobRunner::wantsMore() const {
  return running_ <= std::max(lastShare_ / 2, static_cast<std::size_t>(service_.sideBySide()));
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

std::vector<FinishedJob> JobRunner::take(std::chrono::microseconds patience) {
  submitSome();
  auto outcomes = outcomes_->takeAll(waiting_.empty() ? patience : 0us);
  std::vector<FinishedJob> finished(outcomes.size());
  const int count = static_cast<int>(outcomes.size());
  loaders_.forEach((count + kLinesAtOnce - 1) / kLinesAtOnce, [&](int part, int) {
    const int first = part * kLinesAtOnce, last = std::min(count, first + kLinesAtOnce);
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
      Outcome& o = outcomes[i];
      finished[i] = {o.result.status, lineOf(o)};
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

namespace {

using namespace std::chrono_literals;

// Messages to rank 0: a letter, then the number of requests that the rank computes side by side, or finished
// jobs (a digit for the status and a line, each). Messages from it: numbers of jobs; none: there are no more.
constexpr char kAsk = 'a', kResults = 'r';
/// How long a rank without anything to do waits before it looks again for messages.
constexpr auto kPause = 200us;
/// Times what a rank computes side by side: no rank takes more jobs than that at once.
constexpr std::size_t kLargestShare = 16;
/// A rank that computes this many jobs in the time of one gets no fewer than one for each group of them.
constexpr std::size_t kGroup = 16;

std::string packNumbers(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += std::to_string(number) + " ";
  return text;
}

std::vector<int> unpackNumbers(const std::string& text) {
  std::istringstream in(text);
  std::vector<int> numbers;
  for (int number; in >> number;) numbers.push_back(number);
  return numbers;
}

std::string packResults(const std::vector<FinishedJob>& jobs) {
  std::string text(1, kResults);
  for (const FinishedJob& job : jobs) text += std::to_string(static_cast<int>(job.status)) + job.line;
  return text;
}

std::vector<FinishedJob> unpackResults(const std::string& text) {
  std::vector<FinishedJob> jobs;
  for (std::size_t start = 1; start < text.size();) {
    const std::size_t end = text.find('\n', start) + 1;
    jobs.push_back({static_cast<Status>(text[start] - '0'), text.substr(start + 1, end - start - 1)});
    start = end;
  }
  return jobs;
}

class Coordinator {
 public:
  Coordinator(Ranks& ranks, JobRunner& runner, int sideBySide, const BatchJobs& jobs, JsonLinesFile& file,
              const BatchProgress& progress)
      : ranks_(ranks), runner_(runner), sideBySide_(sideBySide), file_(file), progress_(progress) {
    summary_.total = jobs.ids.size();
    for (std::size_t i = 0; i < jobs.ids.size(); ++i) {
      if (file.ids().count(jobs.ids[i]) && !(jobs.again && jobs.again(i))) {
        ++summary_.skipped;
      } else {
        pending_.push_back(static_cast<int>(i));
      }
    }
    unfinished_ = pending_.size();
    held_.resize(static_cast<std::size_t>(ranks.size()), 0);
  }

  BatchSummary run() {
    working_ = ranks_.size() - 1;
    while (unfinished_ > 0 || working_ > 0) {
      bool idle = true;
      while (const auto message = ranks_.receive()) {
        handle(*message);
        idle = false;
      }
      if (!pending_.empty() && runner_.wantsMore()) {
        runner_.start(nextShare(0, sideBySide_));
        idle = false;
      }
      finish(0, runner_.take(idle ? patience() : 0us));
    }
    awaitWriting();
    return summary_;
  }

 private:
  /// By itself it has nobody to look after.
  std::chrono::microseconds patience() const { return ranks_.size() == 1 ? 1s : kPause; }

  std::vector<int> nextShare(int rank, int sideBySide) {
    std::size_t& held = held_[static_cast<std::size_t>(rank)];
    const std::size_t count =
        std::min(pending_.size(), shareOf(unfinished_, held, ranks_.size(), sideBySide));
    const auto end = pending_.begin() + static_cast<std::ptrdiff_t>(count);
    std::vector<int> numbers(pending_.begin(), end);
    pending_.erase(pending_.begin(), end);
    held += count;
    return numbers;
  }

  void handle(const Ranks::Message& message) {
    if (message.text.at(0) == kResults) {
      finish(message.from, unpackResults(message.text));
      return;
    }
    const std::vector<int> share = nextShare(message.from, std::stoi(message.text.substr(1)));
    ranks_.send(message.from, packNumbers(share));
    if (share.empty()) --working_;
  }

  void finish(int rank, const std::vector<FinishedJob>& jobs) {
    if (jobs.empty()) return;
    std::string lines;
    for (const FinishedJob& job : jobs) {
      // One that ran again for something else (a result file) has its line.
      if (file_.ids().empty() || file_.ids().count(headOf(job.line).id) == 0) lines += job.line;
      summary_.count(job.status);
    }
    awaitWriting();
    writing_ = std::async(std::launch::async, [this, text = std::move(lines)] { file_.append(text); });
    unfinished_ -= jobs.size();
    held_[static_cast<std::size_t>(rank)] -= jobs.size();
    if (progress_) progress_(summary_.total - unfinished_, summary_.total);
  }

  /// Until what finished before is in the file, and throws where it is not: jobs go on while lines are
  /// written.
  void awaitWriting() {
    if (writing_.valid()) writing_.get();
  }

  Ranks& ranks_;
  JobRunner& runner_;
  const int sideBySide_;
  JsonLinesFile& file_;
  const BatchProgress& progress_;
  BatchSummary summary_;
  std::deque<int> pending_;
  std::vector<std::size_t> held_;  ///< jobs that each rank has and has not finished
  std::size_t unfinished_ = 0;
  int working_ = 0;
  std::future<void> writing_;  ///< last, so that it ends before what it uses
};

}  // namespace

std::size_t shareOf(std::size_t unfinished, std::size_t held, int ranks, int sideBySide) {
  const auto width = static_cast<std::size_t>(std::max(1, sideBySide));
  const std::size_t even = unfinished / static_cast<std::size_t>(ranks);
  const std::size_t lacks = even > held ? even - held : 0;
  return std::clamp(ranks == 1 ? lacks : lacks / 2, std::max<std::size_t>(1, width / kGroup),
                    kLargestShare * width);
}

BatchSummary coordinate(Ranks& ranks, JobRunner& runner, int sideBySide, const BatchJobs& jobs,
                        JsonLinesFile& file, const BatchProgress& progress) {
  return Coordinator(ranks, runner, sideBySide, jobs, file, progress).run();
}

void workForFirstRank(Ranks& ranks, JobRunner& runner, int sideBySide) {
  bool more = true, asked = false;
  while (more || runner.running() > 0) {
    bool idle = true;
    if (more && !asked && runner.wantsMore()) {
      ranks.send(0, kAsk + std::to_string(sideBySide));
      asked = true;
    }
    if (const auto message = ranks.receive()) {
      const std::vector<int> share = unpackNumbers(message->text);
      asked = idle = false;
      more = !share.empty();
      runner.start(share);
    }
    const std::vector<FinishedJob> finished = runner.take(idle ? kPause : 0us);
    if (!finished.empty()) ranks.send(0, packResults(finished));
  }
}

}  // namespace prophet
