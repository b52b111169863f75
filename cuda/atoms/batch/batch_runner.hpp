#pragma once
#include <Eigen/Core>
#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "cuda/atoms/batch/kernel_tables.hpp"
#include "cuda/atoms/batch/qed_table.hpp"
#include "cuda/atoms/batch/shape.hpp"
#include "cuda/atoms/batch/slot_memory.hpp"
#include "cuda/core/common/buffer.hpp"
#include "cuda/core/common/handles.hpp"

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

enum class Phase { Setup, Guess, Orbitals, Exchange, Projection, Decision, Mixing, Eigenvectors, Count };
const char* nameOf(Phase phase);
/// Seconds of device time by phase; filled on request only.
using PhaseTimes = std::array<double, static_cast<std::size_t>(Phase::Count)>;

/// Where tests let something go wrong: Allocation with the number of slots, Packing and Iteration.
enum class FaultPoint { Allocation, Packing, Iteration };
using Probe = std::function<void(FaultPoint, int slots)>;

/// Runs calculations of one shape side by side on one device, on a stream of its own: all of an iteration is
/// batched, a calculation that ends leaves its slot, and the next takes it. Use it from one thread.
class BatchRunner {
 public:
  /// `slots`: most calculations at once; `memoryShare`: part of the device's free memory to take at most.
  /// `tables` must outlive this.
  BatchRunner(int slots, double memoryShare, KernelTables& tables);
  /// Returns when the source has no more jobs and all that were taken are done. Throws CudaError; jobs that
  /// were taken and not done are then in `unfinished`.
  void run(const BatchShape& shape, JobSource& source);
  std::vector<BatchJob> unfinished();
  /// From now on, adds up the time of every phase.
  void profile(PhaseTimes* times) { times_ = times; }
  void setProbe(Probe probe) { probe_ = std::move(probe); }
  /// Slots of the smallest batch that shortage of memory left; 0 where there was none.
  int shortOfMemory() const { return memory_.fewest(); }

 private:
  void prepare(const BatchShape& shape);
  void growBuffers();
  void uploadTable(const Shape& shape);
  void place(BatchJob job, JobSource& source, std::vector<int>& cold, std::vector<int>& warm, bool& tables);
  std::optional<BatchJob> take(JobSource& source);
  bool upload(int slot, bool& tabulated);
  bool fill(JobSource& source);
  void uploadQed(int slot);
  void fetchSpinors();
  void fetchQedParts();
  void iterate();
  void fetchStates();
  int listFinished();
  void breitParts();
  bool anyDived(int slot) const;
  void collect(JobSource& source);
  void advance();
  View viewOf(const PinnedBuffer<int>& list, int count, int offset);
  template <class Launch>
  void timed(Phase phase, Launch launch);
  Result resultOf(int slot, const Calculation& calculation) const;
  std::vector<Eigen::MatrixXd> coefficientsOf(int slot, const Calculation& calculation);
  int slots() const { return memory_.slots(); }
  int orbitals() const { return view_.shape.firstOrbital[view_.shape.symmetries]; }
  /// Values of an array that has so many for each slot.
  std::size_t forSlots(int each) const { return static_cast<std::size_t>(slots()) * each; }

  int maxSlots_;
  SlotMemory memory_;
  Stream stream_;
  SideStreams side_;
  DeviceBuffer<double> kernels_;
  DeviceBuffer<SlotState> states_;
  DeviceBuffer<int> lists_;
  PinnedBuffer<double> inputs_, energies_, spinors_, qedInputs_, qedParts_;
  PinnedBuffer<SlotState> hostStates_;
  PinnedBuffer<int> newList_, activeList_, remainingList_;
  KernelTables& tables_;
  KernelTables::Table table_;  ///< what is in kernels_
  View view_{};
  std::string shapeKey_;
  std::vector<std::optional<BatchJob>> jobs_;  ///< by slot
  std::vector<int> free_, active_;
  std::vector<BatchJob> again_;  ///< whose start led nowhere: taken again with the default guess
  NuclearTable nuclearTable_;
  PhaseTimes* times_ = nullptr;
  Probe probe_;
};

}  // namespace prophet::cuda::batch
