#include "service/job_runner.hpp"

#include <algorithm>

#include "calculation/problem_json.hpp"
#include "service/json_lines.hpp"

namespace prophet {

using namespace std::chrono_literals;

namespace {

/// Jobs that one thread makes ready before results are looked at again: some milliseconds.
constexpr std::size_t kLoadedAtOnce = 32;

}  // namespace

void JobRunner::start(const std::vector<int>& numbers) {
  lastShare_ = numbers.size();
  running_ += numbers.size();
  waiting_.insert(waiting_.end(), numbers.begin(), numbers.end());
}

void JobRunner::submit(std::size_t job) {
  BatchItem item = jobs_.load(job);
  if (!item.calculation) {
    outcomes_->put({job, failedResult(item.error), nlohmann::ordered_json::object(), nullptr});
    return;
  }
  auto description = jobJson(*item.calculation);
  std::shared_ptr<const Calculation> kept;
  if (jobs_.finished) kept = std::make_shared<Calculation>(*item.calculation);
  service_.submit(std::move(*item.calculation),
                  [outcomes = outcomes_, job, description = std::move(description), kept](Result result) {
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

std::vector<FinishedJob> JobRunner::take(std::chrono::microseconds patience) {
  submitSome();
  std::vector<FinishedJob> finished;
  for (const Outcome& o : outcomes_->takeAll(waiting_.empty() ? patience : 0us)) {
    if (o.calculation) jobs_.finished(o.number, *o.calculation, o.result);
    finished.push_back({o.result.status, jsonLine(jobs_.ids[o.number], o.result, o.job)});
  }
  running_ -= finished.size();
  return finished;
}

}  // namespace prophet
