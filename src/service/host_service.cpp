#include "service/host_service.hpp"

#include <algorithm>

#include "calculation/compute.hpp"
#include "common/thread_pool.hpp"

namespace prophet {

HostEnergyService::HostEnergyService(int threads) {
  const int count = threads > 0 ? threads : availableThreads();
  for (int i = 0; i < count; ++i) workers_.emplace_back([this] { work(); });
}

HostEnergyService::~HostEnergyService() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void HostEnergyService::submit(Calculation calculation, Callback done) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    queue_.emplace_back(std::move(calculation), std::move(done));
  }
  wake_.notify_one();
}

std::string HostEnergyService::description() const {
  return std::to_string(workers_.size()) + (workers_.size() == 1 ? " thread" : " threads");
}

void HostEnergyService::work() {
  for (;;) {
    std::pair<Calculation, Callback> job;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || !queue_.empty(); });
      if (queue_.empty()) return;
      job = std::move(queue_.front());
      queue_.pop_front();
    }
    job.second(computeOrReason(job.first));
  }
}

}  // namespace prophet
