#pragma once
#include <exception>
#include <thread>
#include <vector>

namespace prophet::limit {

/// Runs task(i, thread) for i = 0 .. count-1 on `threads` threads, i = thread, thread + threads, ...: the
/// same share for each thread in every run, so that sums come out the same. Threads end with the call
/// (nothing spins). Rethrows the first exception.
template <class Task>
void parallelFor(int count, int threads, const Task& task) {
  if (threads > count) threads = count;
  std::vector<std::exception_ptr> errors(threads > 0 ? threads : 1);
  const auto work = [&](int thread) {
    try {
      for (int i = thread; i < count; i += threads) task(i, thread);
    } catch (...) {
      errors[thread] = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (int t = 1; t < threads; ++t) others.emplace_back(work, t);
  if (threads > 0) work(0);
  for (auto& other : others) other.join();
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace prophet::limit
