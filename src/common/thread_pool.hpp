#pragma once
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace prophet {

/// A few threads that sleep between jobs (a spinning thread on a busy machine costs far more than waking
/// one). The calling thread works too, so a pool of one thread starts none.
class ThreadPool {
 public:
  /// `threads` >= 1; the worker threads start with the first job that has work for them.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return threads_; }

  /// Calls task(i, worker) for every i in [0, count), worker in [0, threads), in no particular order, and
  /// returns when all are done. The first exception thrown by a task is thrown here. Not reentrant.
  void forEach(int count, const std::function<void(int task, int worker)>& task);

 private:
  void start();
  void work(int worker);
  void drain(int worker);

  const int threads_;
  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(int, int)>* task_ = nullptr;
  int count_ = 0, next_ = 0, busy_ = 0;
  std::uint64_t generation_ = 0;
  bool stop_ = false;
  std::exception_ptr error_;
};

/// Processors that this process may use.
int availableThreads();

}  // namespace prophet
