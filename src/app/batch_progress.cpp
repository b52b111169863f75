#include "app/batch_progress.hpp"

#include <fmt/format.h>

#include <string>

namespace prophet {
namespace {

constexpr std::size_t kWidth = 40;
/// Drawing more often than this only costs time.
constexpr double kSecondsBetweenBars = 0.1;

}  // namespace

ProgressDisplay::~ProgressDisplay() {
  if (drawn_) std::fputc('\n', stream_);
}

void ProgressDisplay::show(std::size_t finished, std::size_t total) {
  if (terminal_) {
    showBar(finished, total);
  } else {
    showLine(finished, total);
  }
}

/// A stream that takes nothing must not end the batch: it marks the stream, and the exit status tells.
void ProgressDisplay::say(const std::string& text) {
  std::fputs(text.c_str(), stream_);
  std::fflush(stream_);
}

void ProgressDisplay::showBar(std::size_t finished, std::size_t total) {
  const double now = watch_.seconds();
  if (finished < total && lastDrawn_ >= 0.0 && now - lastDrawn_ < kSecondsBetweenBars) return;
  const std::size_t filled = kWidth * finished / total;
  const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
  say(fmt::format("\r[{}] {} of {} jobs, {:.1f} s", bar, finished, total, now));
  lastDrawn_ = now;
  drawn_ = true;
}

void ProgressDisplay::showLine(std::size_t finished, std::size_t total) {
  const std::size_t tenth = 10 * finished / total;
  if (tenth == lastTenth_) return;
  lastTenth_ = tenth;
  say(fmt::format("{} of {} jobs, {:.1f} s\n", finished, total, watch_.seconds()));
}

}  // namespace prophet
