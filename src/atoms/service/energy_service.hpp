#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "atoms/calculation/calculation.hpp"
#include "atoms/calculation/result.hpp"

namespace prophet {

/// What threads of a service have for the thread that waits for it, in the order of arrival.
template <class T>
class Mailbox {
 public:
  void put(T item) {
    const std::lock_guard<std::mutex> lock(mutex_);
    arrived_.push_back(std::move(item));
    // Under the lock: the waiting thread may destroy the mailbox as soon as it holds the last item.
    filled_.notify_one();
  }
  T take() {
    std::unique_lock<std::mutex> lock(mutex_);
    filled_.wait(lock, [this] { return !arrived_.empty(); });
    T first = std::move(arrived_.front());
    arrived_.pop_front();
    return first;
  }
  /// Everything that is there; waits for something no longer than `patience`.
  std::deque<T> takeAll(std::chrono::microseconds patience) {
    std::unique_lock<std::mutex> lock(mutex_);
    filled_.wait_for(lock, patience, [this] { return !arrived_.empty(); });
    return std::exchange(arrived_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<T> arrived_;
};

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

}  // namespace prophet
