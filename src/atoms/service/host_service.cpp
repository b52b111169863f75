#include "atoms/service/host_service.hpp"

#include <utility>

#include "atoms/calculation/compute.hpp"
#include "core/common/thread_pool.hpp"

namespace prophet {

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

}  // namespace prophet
