#pragma once
#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

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

/// Seconds that the parts of a computation took, each summed over the threads that worked on it.
class Phases {
 public:
  /// Runs a step and counts its time; where `phases` is nullptr, just runs it.
  template <class Step>
  static auto of(Phases* phases, const char* name, Step step) {
    struct Count {
      ~Count() {
        if (phases) phases->add(name, watch.seconds());
      }
      Phases* phases;
      const char* name;
      Stopwatch watch{};
    } count{phases, name};
    return step();
  }
  void add(const std::string& name, double seconds) {
    const std::lock_guard<std::mutex> alone(mutex_);
    const auto found = std::ranges::find(list_, name, &std::pair<std::string, double>::first);
    if (found != list_.end()) {
      found->second += seconds;
    } else {
      list_.emplace_back(name, seconds);
    }
  }
  /// In the order in which they were first counted.
  std::vector<std::pair<std::string, double>> seconds() const {
    const std::lock_guard<std::mutex> alone(mutex_);
    return list_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::pair<std::string, double>> list_;
};

}  // namespace prophet
