#include "frontends/app/signals.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

namespace prophet {
namespace {

constexpr std::size_t kLongestHint = 2000;

// A handler knows nothing but what is global. The length is set after the text, and to 0 before it changes.
char hint[kLongestHint];
std::atomic<std::size_t> hintLength{0};
static_assert(std::atomic<std::size_t>::is_always_lock_free, "used in a signal handler");

void say(const char* text, std::size_t length) {
  while (length > 0) {
    const ssize_t n = ::write(STDERR_FILENO, text, length);
    if (n <= 0) return;
    text += n;
    length -= static_cast<std::size_t>(n);
  }
}

// Only what is safe in a handler: write and _exit.
extern "C" void endBySignal(int signal) {
  constexpr char kInterrupted[] = "\ncudaprophet: interrupted", kTerminated[] = "\ncudaprophet: terminated";
  if (signal == SIGINT) {
    say(kInterrupted, sizeof kInterrupted - 1);
  } else {
    say(kTerminated, sizeof kTerminated - 1);
  }
  if (const std::size_t length = hintLength.load()) {
    say("; ", 2);
    say(hint, length);
  }
  say("\n", 1);
  ::_exit(128 + signal);
}

}  // namespace

void catchInterrupts() {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction old {};
    if (::sigaction(signal, nullptr, &old) != 0 || old.sa_handler == SIG_IGN) continue;
    struct sigaction ours {};
    ours.sa_handler = endBySignal;
    sigfillset(&ours.sa_mask);
    ::sigaction(signal, &ours, nullptr);
  }
}

ResumeHint::ResumeHint(const std::string& text) {
  hintLength = 0;
  const std::size_t length = std::min(text.size(), kLongestHint);
  std::memcpy(hint, text.data(), length);
  hintLength = length;
}

ResumeHint::~ResumeHint() { hintLength = 0; }

}  // namespace prophet
