#pragma once
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/common/stopwatch.hpp"

namespace prophet {

/// How far something long is.
struct ProgressState {
  std::size_t done = 0, total = 0;  ///< total 0: nobody knows
  std::string unit;                 ///< "jobs"; "%" for hundredths
  std::string note;                 ///< something at the end: "best -128.69"
  bool atMost = false;              ///< whether it may end before all are done
  double recentRate = 0;            ///< a second, of late; 0: as from the beginning
};

/// "[####....] 12 of 40 jobs, 3.2 a second, 9 s left"; `seconds`: since the beginning.
std::string progressText(const ProgressState& state, double seconds);

/// A line at the bottom of a terminal that moves while something long is done; silent everywhere else.
class ProgressLine {
 public:
  enum class When { AtOnce, AfterASecond };
  enum class AtTheEnd { Stays, Goes };

  /// On standard error, if that is a terminal and `wanted`.
  ProgressLine(std::string unit, bool wanted, When when = When::AfterASecond, AtTheEnd end = AtTheEnd::Goes);
  /// Leaves the line or takes it away.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// May be called from any thread.
  void show(std::size_t done, std::size_t total, const std::string& note = "", bool atMost = false);
  /// Prints to standard output, with the line out of the way.
  void print(const std::string& text);

 private:
  void tick();
  double recentRate(double now);
  void draw();
  void clear();

  const bool visible_, stays_;
  const double after_;
  Stopwatch watch_;
  std::mutex mutex_;
  std::condition_variable wake_;
  ProgressState state_;
  std::vector<std::pair<double, std::size_t>> history_;  ///< seconds, done
  bool drawn_ = false, stop_ = false;
  double lastDrawn_ = -1.0;
  std::thread ticker_;
};

}  // namespace prophet
