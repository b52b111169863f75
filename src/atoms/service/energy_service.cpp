#include "atoms/service/energy_service.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "atoms/calculation/compute.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/threads.hpp"

namespace prophet {

Result EnergyService::evaluate(Calculation calculation) {
  Mailbox<Result> mailbox;
  submit(std::move(calculation), [&](Result result) { mailbox.put(std::move(result)); });
  Result result = mailbox.take();
  // What a checkpoint ended is no calculation that failed, which a search would write down as one.
  if (!result.ok() && result.reason == Interrupted().what()) throw Interrupted();
  return result;
}

std::vector<Result> EnergyService::evaluateAll(const std::vector<Calculation>& calculations,
                                               const Progress& progress) {
  Mailbox<std::pair<std::size_t, Result>> mailbox;
  std::size_t submitted = 0;
  std::exception_ptr error;
  try {
    for (; submitted < calculations.size(); ++submitted) {
      submit(calculations[submitted], [&mailbox, i = submitted](Result result) {
        mailbox.put({i, std::move(result)});
      });
    }
  } catch (...) {
    error = std::current_exception();
  }
  std::vector<Result> results(calculations.size());
  // Whatever throws, every result is awaited: the callbacks refer to this mailbox.
  for (std::size_t finished = 0; finished < submitted; ++finished) {
    auto [position, result] = mailbox.take();
    results[position] = std::move(result);
    try {
      if (progress && !error) progress(position, results[position]);
    } catch (...) {
      error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
  return results;
}

HostEnergyService::HostEnergyService(int threads, Checkpoint checkpoint)
    : checkpoint_(std::move(checkpoint)) {
  const int count = threads > 0 ? threads : availableThreads();
  workers_.start(count, [this](int) { work(); });
}

HostEnergyService::~HostEnergyService() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  workers_.join();
}

void HostEnergyService::submit(Calculation calculation, Callback done) {
  run([this, calculation = std::move(calculation), done = std::move(done)] {
    done(computeOrReason(calculation, {1, nullptr, checkpoint_}));
  });
}

void HostEnergyService::run(std::function<void()> task) {
  if (workers_.count() == 0) return task();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    queue_.push_back(std::move(task));
  }
  wake_.notify_one();
}

std::string HostEnergyService::description() const {
  return std::to_string(sideBySide()) + (sideBySide() == 1 ? " thread" : " threads");
}

void HostEnergyService::work() {
  for (;;) {
    std::function<void()> task;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || !queue_.empty(); });
      if (queue_.empty()) return;
      task = std::move(queue_.front());
      queue_.pop_front();
    }
    task();
  }
}

namespace {

/// Seconds of one core of an AMD EPYC (2026): Li to element 115 in their library sets,
/// docs/engineering/performance-batches.md.
constexpr double kSecondsOfOneFunction = 1.2e-5;

}  // namespace

double hostSeconds(const Calculation& calculation) {
  const BasisSet& basis = calculation.inBasis().basis;
  const std::size_t occupied =
      std::min(basis.symmetries.size(), calculation.problem.configuration.symmetries.size());
  double functions = 0;
  for (std::size_t a = 0; a < occupied; ++a) functions += basis.symmetries[a].size();
  return kSecondsOfOneFunction * functions * std::sqrt(functions);
}

bool worthAGpu(std::size_t jobs, int threads,
               const std::function<std::optional<Calculation>(std::size_t)>& load) {
  double seconds = 0;
  for (std::size_t i = 0; i < jobs; ++i) {
    const auto calculation = load(i);
    if (calculation && !calculation->isLimit() && !calculation->problem.hamiltonian.shell.any() &&
        !calculation->problem.hamiltonian.isKohnSham() &&
        calculation->problem.hamiltonian.isFourComponent() && !calculation->inBasis().basis.contracted())
      seconds += hostSeconds(*calculation);
    if (seconds > kGpuPaysAfter * threads) return true;
  }
  return false;
}

}  // namespace prophet
