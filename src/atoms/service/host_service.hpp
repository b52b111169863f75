#pragma once
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "atoms/calculation/calculation.hpp"
#include "atoms/service/energy_service.hpp"
#include "core/common/threads.hpp"

namespace prophet {

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
