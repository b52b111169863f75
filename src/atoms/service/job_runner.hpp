#pragma once
#include <chrono>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "atoms/service/batch_run.hpp"
#include "atoms/service/mailbox.hpp"
#include "core/common/thread_pool.hpp"

namespace prophet {

/// The outcome of a job.
struct FinishedJob {
  Status status = Status::Failed;
  std::string line;  ///< for the output
};

/// One rank's part of a batch: makes jobs ready and keeps a service supplied with them. Used by one thread.
class JobRunner {
 public:
  JobRunner(EnergyService& service, const BatchJobs& jobs, int loadThreads)
      : service_(service), jobs_(jobs), loaders_(loadThreads) {}

  /// Takes on the jobs with these numbers.
  void start(const std::vector<int>& numbers);
  /// Jobs taken on and not handed out by take().
  std::size_t running() const { return running_; }
  /// Whether it should get more before the service runs dry.
  bool wantsMore() const;
  /// Submits more of the jobs and returns those that have finished; waits for one no longer than `patience`,
  /// and not at all while there are jobs to submit.
  std::vector<FinishedJob> take(std::chrono::microseconds patience);

 private:
  /// What became of a job.
  struct Outcome {
    std::size_t number = 0;
    Result result;
    std::shared_ptr<const nlohmann::ordered_json> job;  ///< what was computed; null if nothing was
    std::shared_ptr<const Calculation> calculation;     ///< where somebody wants it
  };
  using Outcomes = Mailbox<Outcome>;
  void submitSome();
  void submit(std::size_t job);
  std::string lineOf(const Outcome& outcome) const;

  EnergyService& service_;
  const BatchJobs& jobs_;
  ThreadPool loaders_;
  std::deque<int> waiting_;
  std::size_t running_ = 0, lastShare_ = 0;
  /// Shared with the callbacks: after an error nobody waits for them.
  std::shared_ptr<Outcomes> outcomes_ = std::make_shared<Outcomes>();
};

}  // namespace prophet
