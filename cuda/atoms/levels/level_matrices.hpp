#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "atoms/levels/level_engine.hpp"
#include "cuda/core/common/buffer.hpp"

namespace prophet::cuda {

class CudaLevelEngine;
class LevelLane;

/// Matrices of a block on the device: operators between determinants by a kernel, in coupled states by
/// products with the states of each distribution of the electrons. They stay there, and vectors come back.
class CudaLevelMatrices : public LevelMatrices {
 public:
  CudaLevelMatrices(CudaLevelEngine& engine, const LevelBlock& block,
                    const std::vector<const ElectronOperator*>& operators, int configurations);
  Eigen::Index size() const override { return n_; }
  void eigenpairs(const Eigen::VectorXd& x, Eigen::Index count, Eigen::VectorXd& values,
                  Eigen::MatrixXd& vectors) override;
  std::optional<double> lowestOf(const Eigen::VectorXd& x, int configuration) override;
  void restrictTo(const Eigen::VectorXd& x, Eigen::Index count) override;
  Eigen::MatrixXd slopes(const Eigen::MatrixXd& vectors) override;
  LevelResponses responses(const Eigen::VectorXd& values, const Eigen::MatrixXd& vectors,
                           const Eigen::MatrixXd& changes) override;

 private:
  /// M(x) in the lane's memory.
  double* at(LevelLane& lane, const Eigen::VectorXd& x) const;
  /// The lowest eigenpairs of a matrix in the lane's memory, on the device or, small ones, on the processor;
  /// gives the vectors, which are on the device.
  double* solve(LevelLane& lane, int n, int count, double* matrix, Eigen::VectorXd& values) const;
  /// The elements of each entry of x between vectors, as products of two matrices on the device.
  template <class Take>
  void each(LevelLane& lane, int count, const double* vectors, Take take) const;

  CudaLevelEngine& engine_;
  int n_ = 0;
  std::vector<DeviceBuffer<double>> matrices_;
  std::vector<std::vector<int>> own_;  ///< states of each configuration
  int restricted_ = 0;                 ///< columns of the basis; 0: all states
  DeviceBuffer<double> basis_;
  std::vector<DeviceBuffer<double>> low_;  ///< between its columns: matrices, then configurations
};

}  // namespace prophet::cuda
