#include "atoms/frozen/trial_gatherer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/common/error.hpp"

namespace prophet {

TrialGatherer::TrialGatherer(std::unique_ptr<TrialDevice> device)
    : device_(std::move(device)), waiting_(static_cast<std::size_t>(device_->kinds())) {
  if (workers_.start(device_->workers(), [this](int worker) { work(worker); }) == 0)
    failure_ = "the system cannot start the threads that feed it";
}

TrialGatherer::~TrialGatherer() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
}

int TrialGatherer::keep(const FieldTable& table) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!failure_.empty()) return -1;
  }
  try {
    return device_->keep(table);
  } catch (const Error& error) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (refused_++ == 0) refusal_ = error.what();
    return -1;
  }
}

void TrialGatherer::drop(int table) {
  if (table >= 0) device_->drop(table);
}

std::optional<TrialOutcome> TrialGatherer::ask(Trial trial) {
  const int kind =
      trial.table < 0 ? -1 : device_->kindOf(static_cast<int>(trial.exponents.size()), trial.slopes);
  if (kind < 0) return std::nullopt;
  Request request;
  request.trial = std::move(trial);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!failure_.empty()) return std::nullopt;
    waiting_[static_cast<std::size_t>(kind)].push_back(&request);
  }
  wake_.notify_one();
  std::unique_lock<std::mutex> lock(request.mutex);
  request.ready.wait(lock, [&] { return request.done; });
  if (!request.outcome.measured) return std::nullopt;
  return std::move(request.outcome);
}

std::optional<BasisShortfall> TrialGatherer::measure(int table, const std::vector<double>& exponents) {
  const auto outcome = ask({table, exponents, false});
  if (!outcome) return std::nullopt;
  return outcome->shortfall;
}

std::optional<ShortfallSlopes> TrialGatherer::slopes(int table, const std::vector<double>& exponents) {
  auto outcome = ask({table, exponents, true});
  if (!outcome) return std::nullopt;
  return ShortfallSlopes{outcome->shortfall.rise, outcome->shortfall.prolapse, std::move(outcome->ofRise),
                         std::move(outcome->ofProlapse)};
}

/// All trials of the kind that has most of them.
TrialGatherer::Batch TrialGatherer::take(std::unique_lock<std::mutex>& lock) {
  const auto most = [&] {
    return std::max_element(waiting_.begin(), waiting_.end(),
                            [](const auto& a, const auto& b) { return a.size() < b.size(); });
  };
  wake_.wait(lock, [&] { return stop_ || (!waiting_.empty() && !most()->empty()); });
  Batch batch;
  if (stop_) return batch;
  std::deque<Request*>& queue = *most();
  const std::size_t count = std::min(queue.size(), static_cast<std::size_t>(device_->mostTrials()));
  batch.assign(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(count));
  queue.erase(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(count));
  return batch;
}

void TrialGatherer::finish(const Batch& batch, std::vector<TrialOutcome> outcomes) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    // Until its lock is released: a search that is told its outcome takes its request with it.
    const std::lock_guard<std::mutex> lock(batch[i]->mutex);
    if (i < outcomes.size()) batch[i]->outcome = std::move(outcomes[i]);
    batch[i]->done = true;
    batch[i]->ready.notify_one();
  }
}

void TrialGatherer::giveUp(const std::string& reason) {
  Batch left;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (failure_.empty()) failure_ = reason;
    for (std::deque<Request*>& queue : waiting_) {
      left.insert(left.end(), queue.begin(), queue.end());
      queue.clear();
    }
  }
  finish(left, {});
}

void TrialGatherer::work(int worker) {
  std::vector<Trial> trials;
  for (;;) {
    Batch batch;
    trials.clear();
    {
      std::unique_lock<std::mutex> lock(mutex_);
      batch = take(lock);
    }
    if (batch.empty()) return;
    for (Request* request : batch) trials.push_back(std::move(request->trial));
    std::vector<TrialOutcome> outcomes;
    std::string failure, lost;
    try {
      outcomes = device_->measure(worker, trials);
    } catch (const DeviceError& error) {
      failure = error.what();
    } catch (const std::exception& error) {
      // Nothing is wrong with the device: it costs these trials.
      lost = error.what();
    }
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!lost.empty()) {
        lost_ += batch.size();
        loss_ = lost;
      }
      ++tally_.batches;
      for (const TrialOutcome& outcome : outcomes) ++(outcome.measured ? tally_.measured : tally_.left);
    }
    if (!failure.empty()) giveUp(failure);
    finish(batch, std::move(outcomes));
    if (!failure.empty()) return;
  }
}

std::vector<std::string> TrialGatherer::notes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::string> list;
  if (!failure_.empty())
    list.push_back(
        fmt::format("{} failed, and the CPU computed the remaining trials: {}", device_->name(), failure_));
  if (refused_ > 0)
    list.push_back(
        fmt::format("{} could not take {} of the fields, and the CPU computed the trials in these: {}",
                    device_->name(), refused_, refusal_));
  if (lost_ > 0)
    list.push_back(
        fmt::format("{} could not compute {} trials, and the CPU did: {}", device_->name(), lost_, loss_));
  return list;
}

TrialGatherer::Tally TrialGatherer::tally() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return tally_;
}

TabulatedField::TabulatedField(const FrozenField& field, const TrialMeans& means, bool defects)
    : field_(field), means_(means) {
  if (!field.nucleus().attraction()) return;
  for (int a = 0; a < field.symmetries(); ++a) {
    tables_.push_back(field.table(a, defects));
    kept_.push_back(means.device ? means.device->keep(tables_.back()) : -1);
  }
}

TabulatedField::~TabulatedField() {
  for (const int table : kept_) {
    if (means_.device) means_.device->drop(table);
  }
}

std::optional<ShortfallSlopes> TabulatedField::slopes(int symmetry,
                                                      const std::vector<double>& exponents) const {
  const auto a = static_cast<std::size_t>(symmetry);
  if (static_cast<int>(exponents.size()) < occupied(symmetry) || tables_.empty()) return std::nullopt;
  if (!tables_[a].contains(exponents)) return std::nullopt;
  if (means_.device) {
    if (auto outcome = means_.device->slopes(kept_[a], exponents)) return outcome;
  }
  const Permits::Hold hold(means_.host);
  try {
    return tables_[a].shortfallWithSlopes(exponents);
  } catch (const Error&) {
    return std::nullopt;  // near-dependent beyond what LAPACK can handle
  }
}

DefectSlopes TabulatedField::defectSlopes(int symmetry, const std::vector<double>& exponents,
                                          const Eigen::VectorXd& weights, bool defect) const {
  const auto a = static_cast<std::size_t>(symmetry);
  if (tables_.empty() || tables_[a].smallFock.size() == 0 || !tables_[a].contains(exponents))
    return field_.defectSlopes(symmetry, exponents, weights);
  return tables_[a].defectSlopes(exponents, weights, defect);
}

BasisShortfall TabulatedField::shortfall(int symmetry, const std::vector<double>& exponents) const {
  const auto a = static_cast<std::size_t>(symmetry);
  if (static_cast<int>(exponents.size()) < occupied(symmetry))
    return {std::numeric_limits<double>::infinity(), 0.0};
  const bool tabulated = !tables_.empty() && tables_[a].contains(exponents);
  if (tabulated && means_.device) {
    if (const auto outcome = means_.device->measure(kept_[a], exponents)) return *outcome;
  }
  const Permits::Hold hold(means_.host);
  return tabulated ? tables_[a].shortfall(exponents) : field_.shortfall(symmetry, exponents);
}

}  // namespace prophet
