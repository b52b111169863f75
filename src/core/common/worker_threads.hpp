#pragma once
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace prophet {

/// Threads that all run the same function: the only place where threads are started. If the system provides
/// fewer threads than requested, there are fewer, possibly none, and no error.
class WorkerThreads {
 public:
  WorkerThreads() = default;
  /// Joins; a failure that join() has not thrown is dropped.
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  /// Starts up to `threads` threads, each of which runs work(first), work(first + 1), ... once, and returns
  /// how many there are. To be called once. An exception that `work` throws ends its thread and is kept for
  /// join().
  int start(int threads, const std::function<void(int)>& work, int first = 0);
  int count() const { return static_cast<int>(threads_.size()); }
  /// Waits for all threads and throws the failure of the one with the lowest number, if any failed.
  void join();

 private:
  void wait();

  std::function<void(int)> work_;
  std::vector<std::exception_ptr> failures_;
  std::vector<std::thread> threads_;
};

}  // namespace prophet
