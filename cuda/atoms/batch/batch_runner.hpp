#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "cuda/atoms/batch/slot_device.hpp"

namespace prophet::cuda::batch {

/// A calculation on its way through a batch.
struct BatchJob {
  Calculation calculation;
  EnergyService::Callback done;
  double firstRadius = 0;  ///< of its grid
  QedTables::Table qed{};  ///< null where there are no QED corrections
  bool warm = false;       ///< whether it started from the spinors that it offers
};

/// Where a batch takes its jobs from, and where it leaves those that the device cannot do.
class JobSource {
 public:
  virtual ~JobSource() = default;
  /// How many jobs of the batch's shape wait now.
  virtual std::size_t waiting() const = 0;
  /// The next job of the batch's shape; empty if none waits now.
  virtual std::optional<BatchJob> next() = 0;
  /// For jobs that need the host after all, and why.
  virtual void leaveToHost(BatchJob job, const std::string& why) = 0;
  /// For finished jobs whose basis set the host has to judge; `coefficients` as judgeSpinors takes them.
  virtual void judgeOnHost(BatchJob job, Result result, std::vector<Eigen::MatrixXd> coefficients) = 0;
};

/// Runs calculations of one shape side by side on one device, on a stream of its own: all of an iteration is
/// batched, a calculation that ends leaves its slot, and the next takes it. Use it from one thread.
class BatchRunner {
 public:
  /// `slots`: most calculations at once; `memoryShare`: part of the device's free memory to take at most.
  /// `tables` must outlive this.
  BatchRunner(int slots, double memoryShare, KernelTables& tables) : device_(slots, memoryShare, tables) {}
  /// Returns when the source has no more jobs and all that were taken are done. Throws CudaError; jobs that
  /// were taken and not done are then in `unfinished`.
  void run(const BatchShape& shape, JobSource& source);
  std::vector<BatchJob> unfinished();
  /// From now on, adds up the time of every phase.
  void profile(PhaseTimes* times) { device_.profile(times); }
  void setProbe(Probe probe) { device_.setProbe(std::move(probe)); }
  /// Slots of the smallest batch that shortage of memory left; 0 where there was none.
  int shortOfMemory() const { return device_.fewestSlots(); }

 private:
  void prepare(const BatchShape& shape);
  void place(BatchJob job, JobSource& source, std::vector<int>& cold, std::vector<int>& warm, bool& tables);
  std::optional<BatchJob> take(JobSource& source);
  bool fill(JobSource& source);
  std::vector<int> keeping() const;
  bool anyDived(int slot) const;
  void collect(JobSource& source);

  SlotDevice device_;
  std::string shapeKey_;
  std::vector<std::optional<BatchJob>> jobs_;  ///< by slot
  std::vector<int> free_, active_;
  std::vector<BatchJob> again_;  ///< whose start led nowhere: taken again with the default guess
};

}  // namespace prophet::cuda::batch
