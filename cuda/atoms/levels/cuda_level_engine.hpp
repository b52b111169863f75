#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "atoms/levels/level_engine.hpp"

namespace prophet::cuda {

class LevelLane;

/// Eigenproblems of levels by cuSOLVER and transition matrices by cuBLAS on one GPU, all in double precision;
/// small eigenproblems stay on the processor. Several callers share a few streams.
class CudaLevelEngine : public LevelEngine {
 public:
  /// `devices`: the first one is taken; empty: GPU 0. Throws Error for one that is not there.
  explicit CudaLevelEngine(const std::vector<int>& devices);
  ~CudaLevelEngine() override;

  std::string name() const override;
  void eigenpairs(Eigen::MatrixXd& matrix, Eigen::Index count, Eigen::VectorXd& values,
                  Eigen::MatrixXd& vectors) override;
  std::unique_ptr<LevelProducts> productsOf(std::vector<BlockLevels> blocks) override;

 private:
  friend class LaneHold;
  int device_;
  std::unique_ptr<LevelEngine> host_;
  std::mutex mutex_;
  std::condition_variable free_;
  std::vector<std::unique_ptr<LevelLane>> lanes_;  ///< those that nobody holds
};

}  // namespace prophet::cuda
