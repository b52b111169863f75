#pragma once
#include <Eigen/Core>
#include <array>
#include <functional>
#include <vector>

#include "cuda/atoms/batch/kernel_tables.hpp"
#include "cuda/atoms/batch/qed_table.hpp"
#include "cuda/atoms/batch/shape.hpp"
#include "cuda/atoms/batch/slot_memory.hpp"
#include "cuda/core/common/buffer.hpp"
#include "cuda/core/common/handles.hpp"

namespace prophet::cuda::batch {

enum class Phase { Setup, Guess, Orbitals, Exchange, Projection, Decision, Mixing, Eigenvectors, Count };
const char* nameOf(Phase phase);
/// Seconds of device time by phase; filled on request only.
using PhaseTimes = std::array<double, static_cast<std::size_t>(Phase::Count)>;

/// Where tests let something go wrong: Allocation with the number of slots, Packing and Iteration.
enum class FaultPoint { Allocation, Packing, Iteration };
using Probe = std::function<void(FaultPoint, int slots)>;

/// The device's side of a batch: the memory of all slots, what goes there and comes back, and the launches of
/// every phase, on a stream of its own. Which job has which slot is BatchRunner's business. All throws
/// CudaError.
class SlotDevice {
 public:
  /// As BatchRunner.
  SlotDevice(int slots, double memoryShare, KernelTables& tables);

  /// Memory and kernel tables for a shape; all slots are empty then.
  void fit(const BatchShape& shape);
  int slots() const { return memory_.slots(); }
  int fewestSlots() const { return memory_.fewest(); }
  const Shape& shape() const { return view_.shape; }
  int orbitals() const { return view_.shape.firstOrbital[view_.shape.symmetries]; }

  /// The input of a slot. `warm`: it has spinors to start from; `tabulated`: its nucleus has a table.
  struct Uploaded {
    bool warm, tabulated;
  };
  Uploaded upload(int slot, const Calculation& calculation, double firstRadius, const QedTable* qed);
  /// New slots up to their first spinors: `cold` from the guess, `warm` from spinors that they were given.
  void begin(const std::vector<int>& cold, const std::vector<int>& warm, bool tables);
  /// One iteration of active slots, up to the decision which of them are finished.
  void iterate(const std::vector<int>& active);
  /// Breit and QED energies of the active slots that have just finished.
  void correct(const std::vector<int>& active);
  /// The spinors of converged slots over the primitives, for `spinors`.
  void fetchSpinors(const std::vector<int>& slots);
  /// Orbitals of the next iteration for those that go on.
  void advance(const std::vector<int>& active);

  SlotStatus status(int slot) const {
    return static_cast<SlotStatus>(hostStates_[static_cast<std::size_t>(slot)].status);
  }
  /// Energies of all orbitals of a slot, hartree.
  const double* energies(int slot) const {
    return energies_.data() + static_cast<std::size_t>(slot) * orbitals();
  }
  const double* spinors(int slot) const {
    return spinors_.data() + slot * static_cast<std::size_t>(view_.shape.coefficientSize);
  }
  Result resultOf(int slot, const Calculation& calculation) const;
  /// The spinors of a slot's last iteration.
  std::vector<Eigen::MatrixXd> coefficientsOf(int slot, const Calculation& calculation);

  void profile(PhaseTimes* times) { times_ = times; }
  void setProbe(Probe probe) { probe_ = std::move(probe); }

 private:
  void growBuffers();
  void uploadTable(const Shape& shape);
  void uploadQed(int slot, const Calculation& calculation, const QedTable& table);
  void fetchStates();
  int listFinished(const std::vector<int>& active);
  void breitParts(const std::vector<int>& active);
  void fetchQedParts(const std::vector<int>& active);
  View viewOf(const PinnedBuffer<int>& list, int count, int offset);
  template <class Launch>
  void timed(Phase phase, Launch launch);
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
  NuclearTable nuclearTable_;
  PhaseTimes* times_ = nullptr;
  Probe probe_;
};

}  // namespace prophet::cuda::batch
