#pragma once
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "atoms/calculation/calculation.hpp"
#include "atoms/calculation/result.hpp"
#include "core/common/mailbox.hpp"
#include "core/common/threads.hpp"

namespace prophet {

/// Energies of many independent calculations: a list of calculations in, a list of results out.
///
/// A result depends on its calculation alone, bit for bit, however calculations were batched and whatever ran
/// beside them. A calculation that fails does so alone. Every function may be called from many threads at
/// once (many optimisers feed one service).
class EnergyService {
 public:
  using Callback = std::function<void(Result)>;
  /// Called in the thread that called evaluateAll, once for each finished calculation in the order of
  /// finishing: position in the list, and result.
  using Progress = std::function<void(std::size_t, const Result&)>;

  virtual ~EnergyService() = default;
  /// Queues a calculation and returns. `done` is called once, from a thread of the service; it must not throw
  /// and should be short. A service leaves what it cannot do to the host, and says so in the provenance.
  virtual void submit(Calculation calculation, Callback done) = 0;
  /// One line for reports: "2 threads", "NVIDIA H200".
  virtual std::string description() const = 0;
  /// How many calculations it does at the same time; the others wait.
  virtual int sideBySide() const { return 1; }
  /// Notes for the user at the end, a sentence each: a GPU that failed on the way, for example.
  virtual std::vector<std::string> notes() const { return {}; }

  Result evaluate(Calculation calculation);
  /// Results in the order of the calculations.
  std::vector<Result> evaluateAll(const std::vector<Calculation>& calculations,
                                  const Progress& progress = {});
};

/// Energies over the processor's threads: every calculation runs on one thread alone (so its digits depend on
/// nothing else), calculations side by side.
class HostEnergyService : public EnergyService {
 public:
  /// `threads` >= 1; 0: as many as this process may use.
  /// `checkpoint`: called in the service's threads, by all calculations; those that it ends fail.
  explicit HostEnergyService(int threads = 0, Checkpoint checkpoint = {});
  /// Finishes what was submitted. Where the system gives no thread at all, submit() computes itself.
  ~HostEnergyService() override;
  HostEnergyService(const HostEnergyService&) = delete;
  HostEnergyService& operator=(const HostEnergyService&) = delete;

  void submit(Calculation calculation, Callback done) override;
  /// Queues work of another kind behind the calculations; it must not throw.
  void run(std::function<void()> task);
  std::string description() const override;
  int sideBySide() const override { return std::max(1, workers_.count()); }

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_;
  bool stop_ = false;
  const Checkpoint checkpoint_;
  WorkerThreads workers_;  ///< fewer than asked for where the system gives no more
};

/// A GPU is worth its start (driver, library, memory) for a batch that would keep the processor's threads
/// busy for longer than this many seconds. Measured with benchmarks/gpu-node-batch: a GPU is as fast as the
/// CPU where the threads take 0.55 s (16 processors, one H200: start of the GPU 0.38 s) and 1.5 s (64
/// processors, four H200: start 1.24 s).
constexpr double kGpuPaysAfter = 0.7;

/// Rough seconds that one processor core takes for a calculation (a factor of 1.5 either way between
/// elements): set-up and iterations together grow like the number of functions to the power 1.5.
double hostSeconds(const Calculation& calculation);

/// Whether jobs are worth a GPU against this many threads of the processor; those that a GPU
/// leaves to the processor for their Hamiltonian or their contracted functions do not count. `load`: a job's
/// calculation, empty if it has none; called for the jobs in turn until that is clear.
bool worthAGpu(std::size_t jobs, int threads,
               const std::function<std::optional<Calculation>(std::size_t)>& load);

}  // namespace prophet
