#pragma once
#include <chrono>
#include <exception>
#include <functional>

namespace prophet {

/// Seconds since its construction.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// Called now and then by a long computation, in a thread of its own choice; what it throws ends the
/// computation and is thrown by it. May be empty.
using Checkpoint = std::function<void()>;

/// For checkpoints to throw. No Error: nothing that catches errors to try another way holds it up.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

inline void pass(const Checkpoint& checkpoint) {
  if (checkpoint) checkpoint();
}

}  // namespace prophet
