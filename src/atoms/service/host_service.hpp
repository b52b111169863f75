#pragma once
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

#include "atoms/service/energy_service.hpp"
#include "core/common/worker_threads.hpp"

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

}  // namespace prophet
