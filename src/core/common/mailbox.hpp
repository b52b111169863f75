#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace prophet {

/// Holds what threads have for the one that waits for them, in the order of arrival.
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

}  // namespace prophet
