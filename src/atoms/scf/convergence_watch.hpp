#pragma once
#include <limits>

namespace prophet {

/// Follows the largest element of the orbital gradient through the iterations.
class ConvergenceWatch {
 public:
  void see(double gradient) {
    improved_ = gradient < best_;
    if (improved_) best_ = gradient;
    if (gradient < kProgress * mark_) {
      mark_ = gradient;
      idle_ = 0;
    } else {
      ++idle_;
    }
  }
  /// Whether the last iteration had the smallest gradient so far.
  bool improved() const { return improved_; }
  /// Whether the gradient has not halved for many iterations.
  bool stalled() const { return idle_ >= kPatience; }
  /// Starts counting iterations without progress anew, after a change of method.
  void beginAgain() {
    idle_ = 0;
    mark_ = std::numeric_limits<double>::infinity();
  }

 private:
  static constexpr double kProgress = 0.5;
  static constexpr int kPatience = 12;
  double best_ = std::numeric_limits<double>::infinity(), mark_ = best_;
  int idle_ = 0;
  bool improved_ = false;
};

}  // namespace prophet
