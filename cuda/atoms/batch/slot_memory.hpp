#pragma once
#include <functional>

#include "cuda/atoms/batch/shape.hpp"
#include "cuda/core/common/buffer.hpp"

namespace prophet::cuda::batch {

/// Device memory of a batch's slots: one piece, cut anew for each shape, since mixed work changes its shape
/// all the time and every device waits while memory is taken.
class SlotMemory {
 public:
  /// `slots`: most at once; `share`: part of the device's free memory to take at most.
  SlotMemory(int slots, double share) : most_(static_cast<std::size_t>(slots)), share_(share) {}

  /// Arrays for as many slots of a shape as there may be, or for half as many, and so on, where the device
  /// has no more. `before`: called with each number before it is tried. Throws OutOfDeviceMemory where one is
  /// too many.
  void fit(const BatchShape& shape, const std::function<void(int slots)>& before);

  /// The arrays of the last fit; kernels, states and lists are not among them.
  const View& view() const { return view_; }
  const QedView& qed() const { return qed_; }
  int slots() const { return slots_; }
  /// Slots of the smallest batch that shortage of memory left; 0 where there was none.
  int fewest() const { return fewest_; }

 private:
  std::size_t affordable(std::size_t perSlot) const;
  std::size_t budget() const;
  void provide(std::size_t doubles);
  void cut(const BatchShape& shape, std::size_t slots);

  std::size_t most_;
  double share_;
  DeviceBuffer<double> arena_;
  View view_{};
  QedView qed_{};
  int slots_ = 0, fewest_ = 0;
};

}  // namespace prophet::cuda::batch
