#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "atoms/levels/level_engine.hpp"
#include "core/common/shared_room.hpp"

namespace prophet::cuda {

struct LevelMemory;
class LevelLane;

/// Hamiltonians of levels by kernels over determinants, their eigenproblems by cuSOLVER and transition
/// matrices by cuBLAS, all in double precision; small blocks stay on the processor. Several callers share a
/// few streams. On the first GPU but for parts, which are of one GPU each.
class CudaLevelEngine : public LevelEngine {
 public:
  /// `devices`: empty: GPU 0. Throws Error for one that is not there.
  explicit CudaLevelEngine(const std::vector<int>& devices);
  ~CudaLevelEngine() override;

  std::string name() const override;
  int devices() const override { return 1 + static_cast<int>(others_.size()); }
  std::shared_ptr<LevelEngine> part(double bytes) override;
  void eigenpairs(Eigen::MatrixXd& matrix, Eigen::Index count, Eigen::VectorXd& values,
                  Eigen::MatrixXd& vectors) override;
  std::unique_ptr<LevelMatrices> matricesOf(const LevelBlock& block,
                                            const std::vector<const ElectronOperator*>& operators,
                                            int configurations) override;
  std::unique_ptr<LevelProducts> productsOf(std::vector<BlockLevels> blocks) override;
  const std::shared_ptr<const LevelMemory>& memory() const { return memory_; }

 private:
  friend class LaneHold;
  std::unique_ptr<LevelEngine> host_;
  std::mutex mutex_;
  std::condition_variable free_;
  double taken_ = 0, most_ = 0;       ///< bytes that lanes of large blocks have, and may have together
  std::unique_ptr<SharedRoom> room_;  ///< for what stays
  std::vector<std::unique_ptr<CudaLevelEngine>> others_;  ///< of the other devices
  /// Bytes of its parts that are held or waited for, which say how much it has to do; guarded by the first
  /// device's mutex.
  double parts_ = 0;
  /// All lanes share it: freed memory would wait for what the others compute.
  std::shared_ptr<const LevelMemory> memory_;
  std::vector<std::unique_ptr<LevelLane>> lanes_;  ///< those that nobody holds
  int lanesMade_ = 0;
};

}  // namespace prophet::cuda
