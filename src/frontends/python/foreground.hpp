#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "core/common/stopwatch.hpp"
#include "core/common/threads.hpp"

namespace prophet::python {

/// Calls `work(checkpoint)` in Python's thread without the interpreter's lock. Its checkpoint, which has to
/// come from the same thread, hears signals (Ctrl-C) every 50 ms and ends the work with the exception that
/// Python makes of them. For one computation: a thread would cost what a small atom's energy does.
template <class Work>
void runHere(Work&& work) {
  static constexpr std::chrono::milliseconds kBetween(50);
  const nanobind::gil_scoped_release unlocked;
  auto heard = std::chrono::steady_clock::now();
  const Checkpoint checkpoint = [&heard] {
    const auto now = std::chrono::steady_clock::now();
    if (now - heard < kBetween) return;
    heard = now;
    const nanobind::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
  };
  work(checkpoint);
}

/// Computes in a thread of its own while Python's thread, without the interpreter's lock, waits for it:
/// signals (Ctrl-C) are heard at once, calls into Python come from the thread that Python expects, and other
/// Python threads run.
class Foreground {
 public:
  /// Calls `work(*this)` and waits for its end. A signal's exception, or that of an event, ends the work at
  /// its next checkpoint and is thrown here; so is what the work throws. To be called once, with Python's
  /// lock.
  template <class Work>
  void run(Work&& work) {
    const nanobind::gil_scoped_release unlocked;
    WorkerThreads threads;
    const auto task = [&](int) {
      const Finish finish{*this};
      work(*this);
    };
    serving_ = true;
    if (threads.start(1, task) == 0) {
      serving_ = false;
      task(0);
    } else {
      serve();
    }
    try {
      threads.join();
    } catch (...) {
      if (!pending_) throw;
    }
    handleEvents();
    if (pending_) std::rethrow_exception(std::exchange(pending_, nullptr));
  }

  /// For the work: throws Interrupted once Python wants an end.
  Checkpoint checkpoint() {
    return [this] {
      if (stop_.load(std::memory_order_relaxed)) throw Interrupted();
    };
  }
  /// For the work, from any of its threads: `event` will be called in Python's thread, with its lock.
  void post(std::function<void()> event) {
    const std::lock_guard<std::mutex> lock(mutex_);
    events_.push_back(std::move(event));
    wake_.notify_one();
  }
  /// For the work, from any of its threads: what `question` answers in Python's thread, with its lock. Throws
  /// Interrupted where it fails, or once Python wants an end.
  template <class Question>
  auto ask(Question question) {
    using Answer = decltype(question());
    if (!serving_) {
      const nanobind::gil_scoped_acquire locked;
      return question();
    }
    // Given up without an answer if it throws, or nobody calls it any more.
    auto answer = std::make_shared<std::promise<Answer>>();
    std::future<Answer> given = answer->get_future();
    post([answer = std::move(answer), question = std::move(question)] { answer->set_value(question()); });
    try {
      return given.get();
    } catch (const std::future_error&) {
      throw Interrupted();
    }
  }

 private:
  struct Finish {
    Foreground& foreground;
    ~Finish() {
      const std::lock_guard<std::mutex> lock(foreground.mutex_);
      foreground.done_ = true;
      foreground.wake_.notify_one();
    }
  };

  void serve() {
    for (bool done = false; !done;) {
      bool events = false;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait_for(lock, std::chrono::milliseconds(50), [this] { return done_ || !events_.empty(); });
        done = done_;
        events = !events_.empty();
      }
      if (events) handleEvents();
      if (!done) hearSignals();
    }
  }

  void hearSignals() {
    const nanobind::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() == 0) return;
    keep([] { throw nanobind::python_error(); });
  }

  void handleEvents() {
    std::deque<std::function<void()>> events;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      events.swap(events_);
    }
    if (events.empty()) return;
    const nanobind::gil_scoped_acquire locked;
    for (const auto& event : events) {
      if (!pending_) keep(event);
    }
    events.clear();
  }

  /// Calls `call`; what it throws first is kept and ends the work.
  template <class Call>
  void keep(const Call& call) {
    try {
      call();
    } catch (...) {
      if (!pending_) pending_ = std::current_exception();
      stop_ = true;
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> events_;
  bool done_ = false;
  std::atomic<bool> serving_{false};  ///< whether Python's thread waits for events
  std::atomic<bool> stop_{false};
  std::exception_ptr pending_;
};

}  // namespace prophet::python
