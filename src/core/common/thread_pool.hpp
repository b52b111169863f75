#pragma once
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>

#include "core/common/worker_threads.hpp"

namespace prophet {

/// A few threads that sleep between jobs (a spinning thread on a busy machine costs far more than waking
/// one). The calling thread works too, so a pool of one thread starts none, and a pool that the system gives
/// fewer threads than asked for does its work with those.
class ThreadPool {
 public:
  /// `threads` >= 1; the worker threads start with the first job that has work for them.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// The number requested, whether or not the system provided them.
  int threads() const { return threads_; }

  /// Calls task(i, worker) for every i in [0, count), worker in [0, threads), and returns when all are done.
  /// Tasks are begun in ascending order, each by the first thread that is free; those of one worker never
  /// overlap. After a failure no further task is begun, and the failure of the lowest i is thrown here: the
  /// same one whatever the threads. Not reentrant.
  void forEach(int count, const std::function<void(int task, int worker)>& task);

  /// Calls task(i, share) for every i in [0, count): share s has i = s, s + shares, s + 2 shares, ... in this
  /// order. What a share sums up depends on `shares` alone, not on the threads.
  void forEachShare(int count, int shares, const std::function<void(int i, int share)>& task);

 private:
  void work(int worker);
  void drain(int worker);

  const int threads_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(int, int)>* task_ = nullptr;
  int count_ = 0, next_ = 0, busy_ = 0, failed_ = 0;
  std::uint64_t generation_ = 0;
  bool started_ = false, stop_ = false;
  std::exception_ptr error_;
  WorkerThreads workers_;
};

/// ThreadPool::forEachShare with `shares` threads (or `count`, if that is less) that end with the call.
void forEachShare(int count, int shares, const std::function<void(int i, int share)>& task);

/// Processors that this process may use.
int availableThreads();

}  // namespace prophet
