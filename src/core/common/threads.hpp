#pragma once
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace prophet {

/// Threads that all run the same function: the only place where threads are started. If the system provides
/// fewer threads than requested, there are fewer, possibly none, and no error.
class WorkerThreads {
 public:
  /// Its end joins; a failure that join() has not thrown is dropped.
  WorkerThreads() = default;
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
  std::function<void(int)> work_;
  std::vector<std::exception_ptr> failures_;
  std::vector<std::jthread> threads_;
};

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

/// How many threads may do something at once, among more that wait: of some hundred searches that mostly wait
/// for a GPU, as many compute as there are processors. First come, first served, which
/// std::counting_semaphore does not promise (that of GCC 12 may also sleep through a release, its bug
/// 104928).
class Permits {
 public:
  explicit Permits(int count) : first_(static_cast<unsigned long long>(count)) {}
  Permits(const Permits&) = delete;
  Permits& operator=(const Permits&) = delete;

  /// One of them, from its making (which waits for it) to its end. None at all of nullptr.
  class Hold {
   public:
    explicit Hold(Permits* permits) : permits_(permits) {
      if (permits_) permits_->take();
    }
    ~Hold() {
      if (permits_) permits_->give();
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    Permits* permits_;
  };

 private:
  void take() {
    std::unique_lock<std::mutex> lock(mutex_);
    const unsigned long long own = last_++;
    changed_.wait(lock, [&] { return own < first_; });
  }
  void give() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ++first_;
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned long long first_, last_ = 0;  ///< tickets below the first may work; the last one given out
};

}  // namespace prophet
