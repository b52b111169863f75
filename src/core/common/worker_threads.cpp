#include "core/common/worker_threads.hpp"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

namespace prophet {

WorkerThreads::~WorkerThreads() { wait(); }

int WorkerThreads::start(int threads, const std::function<void(int)>& work, int first) {
  try {
    work_ = work;
    failures_.resize(static_cast<std::size_t>(std::max(threads, 0)));
    threads_.reserve(failures_.size());
    for (int i = 0; i < threads; ++i) {
      threads_.emplace_back([this, i, first] {
        try {
          work_(first + i);
        } catch (...) {
          failures_[static_cast<std::size_t>(i)] = std::current_exception();
        }
      });
    }
  } catch (const std::system_error&) {  // no more threads
  } catch (const std::bad_alloc&) {     // no memory for one more
  }
  return count();
}

void WorkerThreads::wait() {
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void WorkerThreads::join() {
  wait();
  for (std::exception_ptr& failure : failures_) {
    if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
  }
}

}  // namespace prophet
