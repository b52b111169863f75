#pragma once
#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace prophet {

/// Memory that pieces of work side by side take shares of. From several threads at once.
class SharedRoom {
 public:
  explicit SharedRoom(double bytes) : most_(bytes) {}
  SharedRoom(const SharedRoom&) = delete;
  SharedRoom& operator=(const SharedRoom&) = delete;

  /// A share that is there until the last copy of it goes. Waits until the others leave so much; who wants
  /// more than there is gets all of it, alone.
  std::shared_ptr<const void> take(double bytes) {
    const double share = std::clamp(bytes, 0.0, most_);
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return taken_ + share <= most_; });
    taken_ += share;
    return {this, [share](SharedRoom* room) {
              {
                const std::lock_guard<std::mutex> alone(room->mutex_);
                room->taken_ -= share;
              }
              room->changed_.notify_all();
            }};
  }

 private:
  const double most_;
  double taken_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace prophet
