#include "cuda/atoms/batch/cuda_service.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <limits>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "atoms/calculation/judge_basis.hpp"
#include "atoms/service/energy_service.hpp"
#include "cuda/atoms/batch/queue_choice.hpp"
#include "cuda/core/common/device_facts.hpp"

namespace prophet::cuda {
namespace {

using batch::BatchJob;
using batch::BatchShape;

/// A batch gives way to other shapes after this many rounds of its slots, or of as many jobs as ever waited
/// for it at once: searches that each send their next request when they have an answer would keep it going
/// for ever, and those of other shapes waiting.
constexpr std::size_t kRoundsInARow = 16;
constexpr const char* kNoGpuLeft = "every GPU has failed";

}  // namespace

int visibleDevices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return count;
}

class CudaEnergyService::Implementation {
 public:
  explicit Implementation(const CudaServiceOptions& options) : options_(options), host_(options.hostThreads) {
    if (options_.devices.empty()) {
      for (int i = 0; i < visibleDevices(); ++i) {
        const std::string problem = refusal(factsOf(i));
        if (problem.empty()) {
          options_.devices.push_back(i);
        } else {
          failures_.push_back(problem);
        }
      }
    }
    if (options_.devices.empty()) {
      throw CudaError(failures_.empty() ? "no GPU found; use the CPU, or check the driver with nvidia-smi"
                                        : failures_.front());
    }
    for (const int device : options_.devices) {
      if (const std::string problem = refusal(factsOf(device)); !problem.empty()) throw CudaError(problem);
      cudaDeviceProp properties{};
      PROPHET_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
      sharedBytes_ = std::min(sharedBytes_, static_cast<int>(properties.sharedMemPerBlockOptin));
      description_ += (description_.empty() ? "" : ", ") + std::string(properties.name);
    }
    const int batches = std::max(options_.batchesPerDevice, options_.mixedBatches);
    working_ = static_cast<int>(options_.devices.size()) * batches;
    for (const int device : options_.devices) {
      for (int i = 0; i < batches; ++i) workers_.emplace_back([this, device] { work(device); });
    }
  }

  ~Implementation() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
    // Those that had nothing to do left when the service ended; jobs of others that failed since are here.
    leaveQueuesToHost(std::exchange(queues_, {}), kNoGpuLeft);
  }

  void submit(Calculation calculation, Callback done) {
    std::string why;
    std::optional<batch::Placement> placement;
    try {
      placement = batch::placementOf(calculation, sharedBytes_, why);
    } catch (const Error&) {
      why = "the calculation is not valid";
    }
    batch::QedTables::Table qed;
    try {
      if (placement && placement->shape.qed.vectors > 0) qed = qedTables_.of(calculation.problem);
    } catch (const Error& error) {
      placement.reset();
      why = fmt::format("its QED potentials could not be made: {}", error.what());
    }
    bool accepted = false, all = false;
    if (placement) {
      const std::string key = batch::keyOf(placement->shape);
      const std::lock_guard<std::mutex> lock(mutex_);
      accepted = working_ > 0;
      if (accepted) {
        const auto [place, isNew] = queues_.try_emplace(key);
        Queue& queue = place->second;
        if (isNew) queue.since = choices_;
        queue.shape = placement->shape;
        queue.jobs.push_back({std::move(calculation), std::move(done), placement->firstRadius, qed});
        // Who is woken may be of a device that has its batches of this shape already.
        all = canTakeMore(key);
      }
    }
    if (accepted) {
      if (all) wake_.notify_all();
    } else {
      toHost({std::move(calculation), std::move(done), 0.0}, placement ? kNoGpuLeft : why);
    }
  }

  const std::string& description() const { return description_; }
  int sideBySide() const {
    return static_cast<int>(options_.devices.size()) * options_.batchesPerDevice * options_.slots;
  }
  std::vector<std::string> notes() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::string> list = failures_;
    for (const auto& [device, slots] : shortages_)
      list.push_back(fmt::format("GPU {} is short of memory: batches of {} instead of {} calculations",
                                 device, slots, options_.slots));
    for (const auto& [why, count] : leftToHost_)
      list.push_back(
          fmt::format("{} left to the CPU: {}", count == 1 ? "1 job" : fmt::format("{} jobs", count), why));
    return list;
  }
  std::size_t leftToHost() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::size_t sum = 0;
    for (const auto& [why, count] : leftToHost_) sum += count;
    return sum;
  }
  batch::PhaseTimes phaseTimes() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return times_;
  }

 private:
  struct Queue {
    BatchShape shape;
    std::deque<BatchJob> jobs;
    std::size_t since = 0;  ///< batch::WaitingQueue
  };

  /// Feeds one batch from the queue of its shape.
  class Source : public batch::JobSource {
   public:
    Source(Implementation& service, const std::string& key) : service_(service), key_(key) {}
    std::size_t waiting() const override {
      const std::lock_guard<std::mutex> lock(service_.mutex_);
      const auto queue = service_.queues_.find(key_);
      return queue == service_.queues_.end() ? 0 : queue->second.jobs.size();
    }
    std::optional<BatchJob> next() override {
      const std::lock_guard<std::mutex> lock(service_.mutex_);
      const auto queue = service_.queues_.find(key_);
      if (queue == service_.queues_.end() || queue->second.jobs.empty()) return std::nullopt;
      most_ = std::max(most_, queue->second.jobs.size());
      const std::size_t round = std::min<std::size_t>(most_, service_.options_.slots);
      gaveWay_ = taken_ >= kRoundsInARow * round && service_.queues_.size() > 1;
      if (gaveWay_) return std::nullopt;
      ++taken_;
      BatchJob job = std::move(queue->second.jobs.front());
      queue->second.jobs.pop_front();
      if (queue->second.jobs.empty()) service_.queues_.erase(queue);
      return job;
    }
    void leaveToHost(BatchJob job, const std::string& why) override { service_.toHost(std::move(job), why); }
    void judgeOnHost(BatchJob job, Result result, std::vector<Eigen::MatrixXd> coefficients) override {
      service_.host_.run([job = std::move(job), result = std::move(result),
                          coefficients = std::move(coefficients)]() mutable {
        judgeSpinors(job.calculation, coefficients, result);
        job.done(std::move(result));
      });
    }
    /// Whether it ended for the others' sake, with jobs left.
    bool gaveWay() const { return gaveWay_; }

   private:
    Implementation& service_;
    const std::string key_;
    std::size_t taken_ = 0, most_ = 0;
    bool gaveWay_ = false;
  };

  void toHost(BatchJob job, const std::string& why) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ++leftToHost_[why];
    }
    // Nobody need wonder why a GPU did not compute it.
    host_.submit(std::move(job.calculation), [done = std::move(job.done), why](Result result) {
      result.provenance.remark = "computed on the host: " + why;
      done(std::move(result));
    });
  }

  /// Batches of a shape that run on a device; under the lock.
  int& runningOn(int device, const std::string& key) { return running_[{device, key}]; }
  bool mayTake(int device, const std::string& key) const {
    const auto running = running_.find({device, key});
    return running == running_.end() || running->second < options_.batchesPerDevice;
  }
  /// Whether any device may begin another batch of this shape.
  bool canTakeMore(const std::string& key) const {
    return std::any_of(options_.devices.begin(), options_.devices.end(),
                       [&](int device) { return mayTake(device, key); });
  }
  /// The queues that a device may begin a batch of.
  std::vector<std::map<std::string, Queue>::iterator> queuesFor(int device) {
    std::vector<std::map<std::string, Queue>::iterator> list;
    for (auto queue = queues_.begin(); queue != queues_.end(); ++queue)
      if (mayTake(device, queue->first)) list.push_back(queue);
    return list;
  }

  /// Replaces a worker's last queue by its next one; false when the service ends. `gaveWay`: of the last.
  bool choose(int device, std::string& key, BatchShape& shape, bool gaveWay) {
    std::unique_lock<std::mutex> lock(mutex_);
    std::vector<std::map<std::string, Queue>::iterator> mine;
    wake_.wait(lock, [&] {
      mine = queuesFor(device);
      return stop_ || !mine.empty();
    });
    if (mine.empty()) return false;
    ++choices_;
    const auto last = queues_.find(key);
    if (gaveWay && last != queues_.end()) last->second.since = choices_;
    std::vector<batch::WaitingQueue> waiting;
    for (const auto& queue : mine) waiting.push_back({queue->second.jobs.size(), queue->second.since});
    const auto next = mine[batch::nextQueue(waiting, choices_, gaveWay)];
    next->second.since = choices_;
    key = next->first;
    shape = next->second.shape;
    ++runningOn(device, key);
    return true;
  }

  /// A batch has ended: others of its shape may begin.
  void ended(int device, const std::string& key) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (--runningOn(device, key) == 0) running_.erase({device, key});
    }
    wake_.notify_all();
  }

  void work(int device) {
    std::unique_ptr<batch::BatchRunner> runner;
    batch::PhaseTimes times{};
    std::string key;
    BatchShape shape;
    bool gaveWay = false, running = false;
    try {
      PROPHET_CUDA_CHECK(cudaSetDevice(device));
      while (choose(device, key, shape, gaveWay)) {
        running = true;
        if (!runner) {
          runner = std::make_unique<batch::BatchRunner>(options_.slots, 0.8 / options_.batchesPerDevice,
                                                        kernelTables_);
          if (options_.profile) runner->profile(&times);
          runner->setProbe(options_.probe);
        }
        Source source(*this, key);
        try {
          runner->run(shape, source);
        } catch (const DeviceError&) {
          throw;
        } catch (const std::exception& error) {
          // Nothing is wrong with the device: it costs this batch, and what waits for the same kernels.
          leaveBatchToHost(*runner, key, error.what());
        }
        gaveWay = source.gaveWay();
        ended(device, key);
        running = false;
        noteShortage(device, runner->shortOfMemory());
        if (options_.profile) addTimes(times);
      }
    } catch (const std::exception& error) {
      // A device that fails is given up; its jobs, and all others where it was the last, go to the host.
      if (runner) {
        for (BatchJob& job : runner->unfinished()) toHost(std::move(job), "a GPU failed");
      }
      giveUp(device, error.what());
      if (running) ended(device, key);
    }
  }

  void leaveQueuesToHost(std::map<std::string, Queue> queues, const std::string& why) {
    for (auto& [key, queue] : queues) {
      for (BatchJob& job : queue.jobs) toHost(std::move(job), why);
    }
  }

  void leaveBatchToHost(batch::BatchRunner& runner, const std::string& key, const std::string& error) {
    const std::string why = "its batch could not go on: " + error;
    for (BatchJob& job : runner.unfinished()) toHost(std::move(job), why);
    std::map<std::string, Queue> same;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (auto node = queues_.extract(key)) same.insert(std::move(node));
    }
    leaveQueuesToHost(std::move(same), why);
  }

  void noteShortage(int device, int slots) {
    if (slots == 0) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    int& fewest = shortages_[device];
    fewest = fewest == 0 ? slots : std::min(fewest, slots);
  }

  void addTimes(batch::PhaseTimes& times) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t i = 0; i < times.size(); ++i) times_[i] += times[i];
    times.fill(0.0);
  }

  void giveUp(int device, const std::string& reason) {
    std::map<std::string, Queue> left;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (--working_ == 0) left.swap(queues_);
      failures_.push_back(
          fmt::format("GPU {} failed and got no more jobs from one of its batches: {}", device, reason));
    }
    leaveQueuesToHost(std::move(left), kNoGpuLeft);
  }

  CudaServiceOptions options_;
  HostEnergyService host_;
  std::string description_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::map<std::string, Queue> queues_;
  std::map<std::pair<int, std::string>, int> running_;  ///< batches, by device and shape
  batch::KernelTables kernelTables_;
  batch::QedTables qedTables_;
  batch::PhaseTimes times_{};
  std::vector<std::string> failures_;
  std::map<int, int> shortages_;                   ///< fewest slots of a batch, by device
  std::map<std::string, std::size_t> leftToHost_;  ///< how many requests, by reason
  std::size_t choices_ = 0;                        ///< of queues, by all workers
  int working_ = 0, sharedBytes_ = std::numeric_limits<int>::max();
  bool stop_ = false;
  std::vector<std::thread> workers_;
};

CudaEnergyService::CudaEnergyService(const CudaServiceOptions& options)
    : implementation_(std::make_unique<Implementation>(options)) {}
CudaEnergyService::~CudaEnergyService() = default;
void CudaEnergyService::submit(Calculation calculation, Callback done) {
  implementation_->submit(std::move(calculation), std::move(done));
}
std::string CudaEnergyService::description() const { return implementation_->description(); }
int CudaEnergyService::sideBySide() const { return implementation_->sideBySide(); }
std::vector<std::string> CudaEnergyService::notes() const { return implementation_->notes(); }
std::size_t CudaEnergyService::leftToHost() const { return implementation_->leftToHost(); }
batch::PhaseTimes CudaEnergyService::phaseTimes() const { return implementation_->phaseTimes(); }

}  // namespace prophet::cuda
