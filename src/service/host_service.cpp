#include "service/host_service.hpp"

#include "calculation/compute.hpp"
#include "common/thread_pool.hpp"

namespace prophet {

HostEnergyService::HostEnergyService(int threads) {
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
  if (workers_.count() == 0) return done(computeOrReason(calculation));
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    queue_.emplace_back(std::move(calculation), std::move(done));
  }
  wake_.notify_one();
}

std::string HostEnergyService::description() const {
  return std::to_string(sideBySide()) + (sideBySide() == 1 ? " thread" : " threads");
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
