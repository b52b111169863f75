#pragma once
#include <cstddef>
#include <cstdio>
#include <string>

#include "common/stopwatch.hpp"

namespace prophet {

/// Shows how far a batch is: a bar on a terminal, a line for every tenth of the jobs elsewhere.
class ProgressDisplay {
 public:
  /// Writes to `stream`.
  ProgressDisplay(std::FILE* stream, bool terminal) : stream_(stream), terminal_(terminal) {}
  /// Leaves the bar's line.
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;
  void show(std::size_t finished, std::size_t total);

 private:
  void say(const std::string& text);
  void showBar(std::size_t finished, std::size_t total);
  void showLine(std::size_t finished, std::size_t total);

  std::FILE* stream_;
  bool terminal_, drawn_ = false;
  Stopwatch watch_;
  double lastDrawn_ = -1.0;
  std::size_t lastTenth_ = 0;
};

}  // namespace prophet
