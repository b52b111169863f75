#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "atoms/levels/level_engine.hpp"
#include "cuda/core/common/buffer.hpp"
#include "cuda/core/common/handles.hpp"

namespace prophet::cuda {

class LevelLane;

/// A device's memory that is kept between uses, for as long as somebody has some of it.
struct LevelMemory {
  int device = 0;
  Stream stream{};
  DevicePool pool{stream.get()};

  /// Memory that any stream may use at once. It may be given back when those have finished.
  DeviceBuffer<double> take(std::size_t size) const;
};

/// Vectors of levels that stay on the device.
struct DeviceStates : LevelStates {
  DeviceStates(std::shared_ptr<const LevelMemory> owner, int states, int levels);

  Eigen::Index states() const override { return rows; }
  Eigen::Index levels() const override { return count; }
  const Eigen::MatrixXd& vectors() const override;
  const std::vector<Eigen::MatrixXd>& moved() const override;

  std::shared_ptr<const LevelMemory> memory;
  int rows = 0, count = 0;
  DeviceBuffer<double> own;  ///< rows x count
  std::vector<DeviceBuffer<double>>
      turns;  ///< the levels in other Hamiltonians over the levels: count x count

 private:
  mutable std::once_flag copied_, multiplied_;
  mutable Eigen::MatrixXd vectors_;
  mutable std::vector<Eigen::MatrixXd> moved_;
};

/// The same vectors on the device, where they are copied if they are not there.
std::shared_ptr<const DeviceStates> onDevice(std::shared_ptr<const LevelStates> states, LevelLane& lane,
                                             const std::shared_ptr<const LevelMemory>& memory);

}  // namespace prophet::cuda
