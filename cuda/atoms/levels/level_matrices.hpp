#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "atoms/levels/level_engine.hpp"
#include "cuda/atoms/levels/level_states.hpp"
#include "cuda/core/common/buffer.hpp"

namespace prophet::cuda {

class CudaLevelEngine;
class LevelLane;

/// Matrices of a block on the device: operators between determinants by a kernel, in coupled states by
/// products with the states of each distribution of the electrons. They stay there, as the vectors of levels.
class CudaLevelMatrices : public LevelMatrices {
 public:
  CudaLevelMatrices(CudaLevelEngine& engine, const LevelBlock& block,
                    const std::vector<const ElectronOperator*>& operators, int configurations);
  Eigen::Index size() const override { return n_; }
  Eigen::VectorXd solve(const Eigen::VectorXd& x, Eigen::Index count) override;
  Eigen::MatrixXd slopes(const std::vector<int>& levels) override;
  Eigen::MatrixXd shares() override;
  Eigen::MatrixXd overlaps(const std::vector<int>& states, const Eigen::MatrixXd& vectors) override;
  Eigen::MatrixXd move(const Eigen::MatrixXd& changes) override;
  std::shared_ptr<const LevelStates> states() const override { return found_; }
  std::optional<double> lowestOf(const Eigen::VectorXd& x, int configuration) override;
  void restrictTo(const Eigen::VectorXd& x, Eigen::Index count) override;

 private:
  /// In the lane's memory the first matrix and, times x, the others; the first alone where x is empty.
  static double* sumOf(LevelLane& lane, const std::vector<DeviceBuffer<double>>& matrices,
                       const Eigen::VectorXd& x);
  /// M(x) between all states, there.
  double* at(LevelLane& lane, const Eigen::VectorXd& x) const;
  /// The same as slopesOf, of configurations alone or of all entries of x.
  template <class Take>
  void each(LevelLane& lane, bool all, int count, const double* vectors, Take take) const;
  /// Expectation values, vectors x entries of x, of vectors on the device. Hands on for each entry two
  /// matrices, products of which are its elements between the vectors.
  template <class Take>
  Eigen::MatrixXd slopesOf(LevelLane& lane, bool all, int count, const double* vectors, Take take) const;

  CudaLevelEngine& engine_;
  int n_ = 0;
  std::vector<DeviceBuffer<double>> matrices_;
  std::vector<std::vector<int>> own_;  ///< states of each configuration
  int restricted_ = 0;                 ///< columns of the basis; 0: all states
  DeviceBuffer<double> basis_;
  std::vector<DeviceBuffer<double>> low_;  ///< between its columns: matrices, then configurations
  Eigen::VectorXd values_;                 ///< found last
  std::shared_ptr<DeviceStates> found_;    ///< over the columns of the basis, where there is one
};

}  // namespace prophet::cuda
