#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "atoms/calculation/result.hpp"
#include "atoms/service/energy_service.hpp"
#include "atoms/service/json_lines.hpp"
#include "core/common/threads.hpp"
#include "core/ranks/for_many.hpp"

namespace prophet {

/// How jobs ended.
struct JobTally {
  std::size_t converged = 0, notConverged = 0, unbound = 0, failed = 0;

  void count(Status status) {
    ++(status == Status::Converged      ? converged
       : status == Status::NotConverged ? notConverged
       : status == Status::Unbound      ? unbound
                                        : failed);
  }
};

/// One job of a batch: a calculation, or the reason why there is none (an input file with an error).
struct BatchItem {
  std::string id;
  std::optional<Calculation> calculation;
  std::string error;
  std::vector<Warning> warnings{};  ///< of how the job was completed; before those of its result
  std::string input{};              ///< checksum of the text that it was read from, if it was
};

/// The jobs of a batch, made ready one by one where and when they are computed.
struct BatchJobs {
  std::vector<std::string> ids;  ///< each once
  /// The job of that position. Called from several threads at once. What it throws ends the batch: for what
  /// the machine lacks (ResourceError), not for what is wrong with the job.
  std::function<BatchItem(std::size_t)> load;
  /// The checksum of the text of that job's input, as BatchItem has it, for jobs that the output holds; may
  /// be empty.
  std::function<std::string(std::size_t)> input{};
  /// Called with every result before its line is written, from the thread that runs the batch; may be empty.
  /// Not for jobs without a calculation.
  std::function<void(std::size_t, const Calculation&, const Result&)> finished{};
  /// Whether a job that the output holds must run again all the same; empty: no job.
  std::function<bool(std::size_t)> again{};
  /// Whether lines hold the densities at the nucleus, of results that have their spinors.
  bool properties = false;
};

struct BatchOptions {
  std::string output;         ///< file of JSON lines
  bool resume = false;        ///< continue a file of an earlier run
  int loadThreads = 1;        ///< threads that make jobs ready
  Retry retry = Retry::None;  ///< with `resume`: of jobs that failed
};

/// The tally is of those jobs that ran now.
struct BatchSummary : JobTally {
  std::size_t total = 0;    ///< jobs asked for
  std::size_t skipped = 0;  ///< already whole in the output
  double seconds = 0;
  std::vector<std::string> notes;  ///< what the services had to say (EnergyService::notes)
};

/// Called whenever jobs have finished: how many of how many, skipped ones included.
using BatchProgress = std::function<void(std::size_t finished, std::size_t total)>;

/// Runs all jobs and appends one JSON line for each to the output as it finishes, in any order. Lines are
/// written whole by one system call, so that a killed run leaves at most one partial line, at the end; with
/// `resume` that one is cut off and jobs that have a whole line are not run again. Throws Error if the
/// output cannot be used (exists without `resume`, damaged in the middle, in use by another run), where two
/// jobs share an id, or the disk is full.
BatchSummary runBatch(EnergyService& service, const BatchJobs& jobs, const BatchOptions& options,
                      const BatchProgress& progress = {});
BatchSummary runBatch(EnergyService& service, const std::vector<BatchItem>& items,
                      const BatchOptions& options, const BatchProgress& progress = {});

/// runBatch over all ranks, each with a service of its own and the same jobs. Rank 0 keeps the list, hands
/// out jobs in shares that shrink towards the end, writes the output, and computes too. The summary, but for
/// the notes, and the progress calls come on rank 0 only. Where the output or the ids cannot be used every
/// rank throws SharedError (ranks/agree.hpp); any other error comes on one rank, which must then abort().
BatchSummary runBatch(EnergyService& service, const BatchJobs& jobs, const BatchOptions& options,
                      Ranks& ranks, const BatchProgress& progress = {});

/// One rank's part of a batch: makes jobs ready and keeps a service supplied with them. What comes of a job
/// is a digit for its status and its line of the output.
class JobRunner : public Worker {
 public:
  JobRunner(EnergyService& service, const BatchJobs& jobs, int loadThreads)
      : service_(service), jobs_(jobs), loaders_(loadThreads) {}

  int sideBySide() const override { return std::max(1, service_.sideBySide()); }
  void start(const std::vector<int>& numbers) override;
  std::size_t running() const override { return running_; }
  bool wantsMore() const override;
  /// Submits more of the jobs and returns those that have finished; waits for one no longer than `patience`,
  /// and not at all while there are jobs to submit.
  std::vector<FinishedWork> take(std::chrono::microseconds patience) override;

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
