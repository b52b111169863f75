#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "service/energy_service.hpp"

namespace prophet {

/// Energies over the processor's threads: every calculation runs on one thread alone (so its digits depend on
/// nothing else), calculations side by side.
class HostEnergyService : public EnergyService {
 public:
  /// `threads` >= 1; 0: as many as this process may use.
  explicit HostEnergyService(int threads = 0);
  /// Finishes what was submitted.
  ~HostEnergyService() override;
  HostEnergyService(const HostEnergyService&) = delete;
  HostEnergyService& operator=(const HostEnergyService&) = delete;

  void submit(Calculation calculation, Callback done) override;
  std::string description() const override;
  int sideBySide() const override { return static_cast<int>(workers_.size()); }

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::pair<Calculation, Callback>> queue_;
  bool stop_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace prophet
