#include "cuda/atoms/batch/slot_device.hpp"

#include <algorithm>

#include "cuda/atoms/batch/kernels.hpp"
#include "cuda/atoms/batch/phase_range.hpp"
#include "cuda/atoms/batch/qed_kernels.hpp"
#include "cuda/atoms/batch/slot_results.hpp"

namespace prophet::cuda::batch {
namespace {

/// At least `size` values, with room for shapes to come.
template <class Buffer>
void grow(Buffer& buffer, std::size_t size) {
  if (buffer.size() < size) buffer = Buffer(size + size / 2);
}

}  // namespace

const char* nameOf(Phase phase) {
  constexpr const char* kNames[] = {"set-up",     "guess",    "orbitals", "exchange",
                                    "projection", "decision", "mixing",   "eigenvectors"};
  return kNames[static_cast<int>(phase)];
}

SlotDevice::SlotDevice(int slots, double memoryShare, KernelTables& tables)
    : maxSlots_(slots), memory_(slots, memoryShare), side_(kMaxSymmetries - 1), tables_(tables) {
  newList_ = PinnedBuffer<int>(slots);
  activeList_ = PinnedBuffer<int>(slots);
  remainingList_ = PinnedBuffer<int>(slots);
  lists_ = DeviceBuffer<int>(3 * static_cast<std::size_t>(slots));
  states_ = DeviceBuffer<SlotState>(slots);
  hostStates_ = PinnedBuffer<SlotState>(slots);
  states_.fill(0, stream_.get());
}

void SlotDevice::fit(const BatchShape& shape) {
  memory_.fit(shape, [this](int slots) {
    if (probe_) probe_(FaultPoint::Allocation, slots);
  });
  view_ = memory_.view();
  view_.state = states_.data();
  growBuffers();
  uploadTable(shape.arrays);
  // Copied to the host whole, empty slots included.
  PROPHET_CUDA_CHECK(
      cudaMemsetAsync(view_.energies, 0, forSlots(orbitals()) * sizeof(double), stream_.get()));
}

void SlotDevice::growBuffers() {
  const QedView& qed = memory_.qed();
  grow(inputs_, forSlots(view_.shape.inputSize));
  grow(energies_, forSlots(orbitals()));
  grow(spinors_, forSlots(view_.shape.coefficientSize));
  grow(qedInputs_, forSlots(qed.inputSize));
  grow(qedParts_, qed.shape.vectors == 0 ? 0 : forSlots(view_.shape.symmetries * kMostQedParts));
}

void SlotDevice::uploadTable(const Shape& shape) {
  const KernelTables::Table table = tables_.of(shape);
  if (table != table_) {
    table_.reset();
    grow(kernels_, table->size());
    // On this stream: a copy on another one may still be under way when the first kernels read the table.
    kernels_.upload(table->data(), table->size(), stream_.get());
    stream_.synchronize();
    table_ = table;
  }
  view_.kernels = kernels_.data();
}

View SlotDevice::viewOf(const PinnedBuffer<int>& list, int count, int offset) {
  int* target = lists_.data() + static_cast<std::size_t>(offset) * maxSlots_;
  PROPHET_CUDA_CHECK(
      cudaMemcpyAsync(target, list.data(), count * sizeof(int), cudaMemcpyHostToDevice, stream_.get()));
  View v = view_;
  v.list = target;
  v.count = count;
  return v;
}

template <class Launch>
void SlotDevice::timed(Phase phase, Launch launch) {
  const PhaseRange range(nameOf(phase));
  if (!times_) {
    launch();
    return;
  }
  const Event begin, end;
  begin.record(stream_.get());
  launch();
  end.record(stream_.get());
  (*times_)[static_cast<std::size_t>(phase)] += end.secondsSince(begin);
}

SlotDevice::Uploaded SlotDevice::upload(int slot, const Calculation& calculation, double firstRadius,
                                        const QedTable* qed) {
  if (probe_) probe_(FaultPoint::Packing, slots());
  const Shape& shape = view_.shape;
  const std::size_t base = slot * static_cast<std::size_t>(shape.inputSize);
  double* input = inputs_.data() + base;
  packInput(calculation, shape, firstRadius, nuclearTable_, input);
  const bool warm = packStart(calculation, shape, input);
  const auto copy = [&](int from, int to) {
    PROPHET_CUDA_CHECK(cudaMemcpyAsync(view_.input + base + from, input + from, (to - from) * sizeof(double),
                                       cudaMemcpyHostToDevice, stream_.get()));
  };
  const int points = static_cast<int>(input[kTableCount]);
  copy(0, shape.inTable + points);
  if (warm) copy(shape.inStartExponents, shape.inputSize);
  if (memory_.qed().shape.vectors > 0) uploadQed(slot, calculation, *qed);
  return {warm, points > 0};
}

void SlotDevice::uploadQed(int slot, const Calculation& calculation, const QedTable& table) {
  const QedView& qed = memory_.qed();
  const std::size_t base = slot * static_cast<std::size_t>(qed.inputSize);
  const int used = packQed(table, qedRangeOf(calculation.inBasis().basis, view_.shape.symmetries),
                           qedInputs_.data() + base);
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(qed.input + base, qedInputs_.data() + base, used * sizeof(double),
                                     cudaMemcpyHostToDevice, stream_.get()));
}

void SlotDevice::begin(const std::vector<int>& cold, const std::vector<int>& warm, bool tables) {
  const cudaStream_t stream = stream_.get();
  const int guessed = static_cast<int>(cold.size()), count = guessed + static_cast<int>(warm.size());
  std::copy(warm.begin(), warm.end(), std::copy(cold.begin(), cold.end(), newList_.data()));
  View v = viewOf(newList_, count, 0);
  timed(Phase::Setup, [&] {
    launchSetup(v, tables, stream);
    if (memory_.qed().shape.inScf) launchQedMatrices(v, memory_.qed(), stream);
  });
  v.count = guessed;
  timed(Phase::Guess, [&] {
    if (v.count > 0) {
      launchGuess(v, stream);
      launchLevels(v, stream);
      launchEigenvectors(v, true, stream, side_);
    }
    v.list += guessed;
    v.count = count - guessed;
    if (v.count > 0) launchStart(v, stream);
  });
}

void SlotDevice::iterate(const std::vector<int>& active) {
  if (probe_) probe_(FaultPoint::Iteration, slots());
  const cudaStream_t stream = stream_.get();
  std::copy(active.begin(), active.end(), activeList_.data());
  const View v = viewOf(activeList_, static_cast<int>(active.size()), 1);
  timed(Phase::Orbitals, [&] { launchOrbitals(v, stream); });
  timed(Phase::Exchange, [&] { launchExchange(v, stream); });
  timed(Phase::Projection, [&] { launchProjection(v, stream); });
  timed(Phase::Decision, [&] { launchDecision(v, stream); });
  fetchStates();
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(energies_.data(), view_.energies, forSlots(orbitals()) * sizeof(double),
                                     cudaMemcpyDeviceToHost, stream));
  stream_.synchronize();
}

void SlotDevice::fetchStates() {
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(hostStates_.data(), states_.data(), forSlots(1) * sizeof(SlotState),
                                     cudaMemcpyDeviceToHost, stream_.get()));
}

/// The slots that have just finished, into remainingList_; how many.
int SlotDevice::listFinished(const std::vector<int>& active) {
  int count = 0;
  for (const int slot : active) {
    if (status(slot) == SlotStatus::Converged || status(slot) == SlotStatus::OutOfIterations)
      remainingList_[count++] = slot;
  }
  return count;
}

/// Breit energies of the slots that have just finished.
void SlotDevice::breitParts(const std::vector<int>& active) {
  if (view_.shape.breitParts == 0) return;
  const int count = listFinished(active);
  if (count == 0) return;
  const View v = viewOf(remainingList_, count, 2);
  timed(Phase::Decision, [&] { launchBreitParts(v, stream_.get()); });
  fetchStates();
  stream_.synchronize();
}

/// QED energies of the slots that have just finished, into qedParts_.
void SlotDevice::fetchQedParts(const std::vector<int>& active) {
  const QedView& qed = memory_.qed();
  if (qed.shape.vectors == 0) return;
  const int count = listFinished(active);
  if (count == 0) return;
  const View v = viewOf(remainingList_, count, 2);
  timed(Phase::Decision, [&] {
    launchSpinors(v, stream_.get());
    launchQedParts(v, qed, stream_.get());
  });
  const std::size_t size = forSlots(view_.shape.symmetries * kMostQedParts);
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(qedParts_.data(), qed.parts, size * sizeof(double),
                                     cudaMemcpyDeviceToHost, stream_.get()));
  stream_.synchronize();
}

void SlotDevice::correct(const std::vector<int>& active) {
  breitParts(active);
  fetchQedParts(active);
}

std::vector<Eigen::MatrixXd> SlotDevice::coefficientsOf(int slot, const Calculation& calculation) {
  const std::size_t size = view_.shape.coefficientSize;
  std::vector<double> raw(size);
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(raw.data(), view_.coefficients[view_.current] + slot * size,
                                     size * sizeof(double), cudaMemcpyDeviceToHost, stream_.get()));
  stream_.synchronize();
  return slotCoefficients(calculation, view_.shape, raw.data());
}

void SlotDevice::fetchSpinors(const std::vector<int>& slots) {
  if (slots.empty()) return;
  const int count = static_cast<int>(slots.size());
  std::copy(slots.begin(), slots.end(), remainingList_.data());
  const View v = viewOf(remainingList_, count, 2);
  const std::size_t size = view_.shape.coefficientSize;
  timed(Phase::Decision, [&] { launchSpinors(v, stream_.get()); });
  for (int i = 0; i < count; ++i) {
    const std::size_t at = remainingList_[i] * size;
    PROPHET_CUDA_CHECK(cudaMemcpyAsync(spinors_.data() + at, view_.coefficients[1 - view_.current] + at,
                                       size * sizeof(double), cudaMemcpyDeviceToHost, stream_.get()));
  }
  stream_.synchronize();
}

Result SlotDevice::resultOf(int slot, const Calculation& calculation) const {
  const auto at = static_cast<std::size_t>(slot);
  return slotResult(calculation, view_.shape, hostStates_[at], energies(slot),
                    qedParts_.data() + at * view_.shape.symmetries * kMostQedParts);
}

void SlotDevice::advance(const std::vector<int>& active) {
  const cudaStream_t stream = stream_.get();
  if (!active.empty()) {
    std::copy(active.begin(), active.end(), remainingList_.data());
    const View v = viewOf(remainingList_, static_cast<int>(active.size()), 2);
    timed(Phase::Mixing, [&] { launchMixing(v, stream); });
    timed(Phase::Eigenvectors, [&] { launchEigenvectors(v, false, stream, side_); });
  }
  view_.current = 1 - view_.current;
}

}  // namespace prophet::cuda::batch
