#include "frontends/app/progress_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "frontends/app/output_stream.hpp"

namespace prophet {
namespace {

constexpr std::size_t kBarWidth = 30;
/// Drawing more often than this only costs time.
constexpr double kSecondsBetweenBars = 0.1;
constexpr auto kTick = std::chrono::milliseconds(250);
constexpr std::size_t kNarrowest = 20;

std::string duration(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string rateText(double perSecond) {
  if (perSecond >= 10) return fmt::format("{:.0f} a second", perSecond);
  if (perSecond >= 1) return fmt::format("{:.1f} a second", perSecond);
  return fmt::format("{} each", duration(1 / perSecond));
}

std::string counted(const ProgressState& s, double seconds) {
  const std::size_t filled = kBarWidth * std::min(s.done, s.total) / s.total;
  const bool share = s.unit == "%";
  std::string text = fmt::format("[{}{}] ", std::string(filled, '#'), std::string(kBarWidth - filled, '.')) +
                     (share ? fmt::format("{} %", 100 * s.done / s.total)
                            : fmt::format("{} of {} {}", s.done, s.total, s.unit));
  if (s.done >= s.total || s.done == 0 || seconds <= 0) return text + ", " + duration(seconds);
  const double rate = static_cast<double>(s.done) / seconds;
  if (!share) text += ", " + rateText(rate);
  const double coming = s.recentRate > 0 ? s.recentRate : rate;
  return text + fmt::format(", {}{} left", s.atMost ? "at most " : "",
                            duration(static_cast<double>(s.total - s.done) / coming));
}

/// Columns of the terminal, without the last one, where some terminals break the line.
std::size_t columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 79;
  return std::max<std::size_t>(size.ws_col - 1, kNarrowest);
}

}  // namespace

std::string progressText(const ProgressState& s, double seconds) {
  std::string text = s.total > 0 ? counted(s, seconds) : "";
  if (!s.note.empty()) text += (text.empty() ? "" : ", ") + s.note;
  return s.total > 0 ? text : text + (text.empty() ? "" : ", ") + duration(seconds);
}

ProgressLine::ProgressLine(std::string unit, bool wanted, When when, AtTheEnd end)
    : visible_(wanted && ::isatty(STDERR_FILENO) == 1),
      stays_(end == AtTheEnd::Stays),
      after_(when == When::AtOnce ? 0.0 : 1.0) {
  state_.unit = std::move(unit);
  if (visible_) ticker_ = std::thread([this] { tick(); });
}

ProgressLine::~ProgressLine() {
  if (!visible_) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  ticker_.join();
  if (!drawn_) return;
  if (stays_) {
    std::fputc('\n', stderr);
  } else {
    clear();
  }
}

void ProgressLine::tick() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stop_) {
    wake_.wait_for(lock, kTick, [this] { return stop_; });
    const bool begun = after_ > 0 || state_.total > 0;
    if (!stop_ && begun && watch_.seconds() >= after_) draw();
  }
}

void ProgressLine::show(std::size_t done, std::size_t total, const std::string& note, bool atMost) {
  if (!visible_) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  state_.done = done;
  state_.total = total;
  state_.note = note;
  state_.atMost = atMost;
  const double now = watch_.seconds();
  state_.recentRate = recentRate(now);
  if (now < after_) return;
  if (lastDrawn_ < 0.0 || done >= total || now - lastDrawn_ >= kSecondsBetweenBars) draw();
}

/// The rate in the second half of the time, as heavy atoms come after light ones.
double ProgressLine::recentRate(double now) {
  if (history_.empty() || now - history_.back().first >= kSecondsBetweenBars)
    history_.emplace_back(now, state_.done);
  const auto half =
      std::lower_bound(history_.begin(), history_.end(), std::make_pair(now / 2, std::size_t{0}));
  if (half == history_.end() || now - half->first < kSecondsBetweenBars || state_.done <= half->second)
    return 0;
  return static_cast<double>(state_.done - half->second) / (now - half->first);
}

void ProgressLine::print(const std::string& text) {
  if (!visible_) return prophet::print(text);
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool wasThere = drawn_;
  clear();
  prophet::print(text);
  if (wasThere) draw();
}

/// A stream that takes nothing must not end the work: it marks the stream, and the exit status tells.
void ProgressLine::draw() {
  const std::string text = progressText(state_, watch_.seconds()).substr(0, columns());
  std::fputs(("\r" + text + "\033[K").c_str(), stderr);
  std::fflush(stderr);
  lastDrawn_ = watch_.seconds();
  drawn_ = true;
}

void ProgressLine::clear() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace prophet
