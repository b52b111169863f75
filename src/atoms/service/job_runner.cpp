#include "atoms/service/job_runner.hpp"

#include <algorithm>

#include "atoms/calculation/problem_json.hpp"
#include "atoms/properties/nuclear_region_json.hpp"
#include "atoms/properties/properties.hpp"
#include "atoms/service/json_lines.hpp"

namespace prophet {

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
  job["properties"]["nucleus"] = nuclearRegionJson(properties.nucleus);
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

}  // namespace prophet
