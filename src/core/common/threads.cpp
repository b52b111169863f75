#include "core/common/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

namespace prophet {

int WorkerThreads::start(int threads, const std::function<void(int)>& work, int first) {
  try {
    work_ = work;
    failures_.resize(std::max(threads, 0));
    threads_.reserve(failures_.size());
    for (int i = 0; i < threads; ++i) {
      threads_.emplace_back([this, i, first] {
        try {
          work_(first + i);
        } catch (...) {
          failures_[i] = std::current_exception();
        }
      });
    }
  } catch (const std::system_error&) {  // no more threads
  } catch (const std::bad_alloc&) {     // no memory for one more
  }
  return count();
}

void WorkerThreads::join() {
  for (std::jthread& thread : threads_)
    if (thread.joinable()) thread.join();
  for (std::exception_ptr& failure : failures_) {
    if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
  }
}

int availableThreads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

ThreadPool::ThreadPool(int threads) : threads_(std::max(1, threads)) {}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
}

void ThreadPool::forEach(int count, const std::function<void(int, int)>& task) {
  if (threads_ > 1 && count > 1 && !started_) {
    started_ = true;
    workers_.start(
        threads_ - 1, [this](int worker) { work(worker); }, 1);
  }
  if (workers_.count() == 0 || count <= 1) {
    for (int i = 0; i < count; ++i) task(i, 0);
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    task_ = &task;
    count_ = count;
    next_ = 0;
    busy_ = workers_.count();
    error_ = nullptr;
    ++generation_;
  }
  wake_.notify_all();
  drain(0);
  std::unique_lock<std::mutex> lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void ThreadPool::forEachShare(int count, int shares, const std::function<void(int, int)>& task) {
  forEach(std::min(count, shares), [&](int share, int) {
    for (int i = share; i < count; i += shares) task(i, share);
  });
}

void forEachShare(int count, int shares, const std::function<void(int, int)>& task) {
  ThreadPool(std::min(count, shares)).forEachShare(count, shares, task);
}

void ThreadPool::drain(int worker) {
  for (;;) {
    int i;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (next_ >= count_) return;
      i = next_++;
    }
    try {
      (*task_)(i, worker);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!error_ || i < failed_) {
        error_ = std::current_exception();
        failed_ = i;
      }
      next_ = count_;
    }
  }
}

void ThreadPool::work(int worker) {
  std::uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [&] { return stop_ || generation_ != seen; });
      if (stop_) return;
      seen = generation_;
    }
    drain(worker);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

}  // namespace prophet
