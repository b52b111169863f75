#pragma once
#include <algorithm>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/common/stopwatch.hpp"

namespace prophet {

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
