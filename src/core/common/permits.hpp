#pragma once
#include <condition_variable>
#include <mutex>

namespace prophet {

/// How many threads may do something at once, among more that wait: of some hundred searches that mostly wait
/// for a GPU, as many compute as there are processors. First come, first served.
class Permits {
 public:
  explicit Permits(int count) : first_(static_cast<unsigned long long>(count)) {}
  Permits(const Permits&) = delete;
  Permits& operator=(const Permits&) = delete;

  /// One of them, from its making (which waits for it) to its end. None at all of nullptr.
  class Hold {
   public:
    explicit Hold(Permits* permits) : permits_(permits) {
      if (permits_) permits_->take();
    }
    ~Hold() {
      if (permits_) permits_->give();
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    Permits* permits_;
  };

 private:
  void take() {
    std::unique_lock<std::mutex> lock(mutex_);
    const unsigned long long own = last_++;
    changed_.wait(lock, [&] { return own < first_; });
  }
  void give() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ++first_;
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned long long first_, last_ = 0;  ///< tickets below the first may work; the last one given out
};

}  // namespace prophet
