#include "cuda/atoms/batch/batch_runner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "atoms/calculation/judge_basis.hpp"
#include "atoms/scf/scf.hpp"
#include "cuda/atoms/batch/kernels.hpp"
#include "cuda/atoms/batch/phase_range.hpp"
#include "cuda/atoms/batch/qed_kernels.hpp"
#include "cuda/atoms/batch/slot_results.hpp"

namespace prophet::cuda::batch {
namespace {

/// Jobs wait until they are one for so many active ones: the guess takes as long for one job as for many, and
/// searches that send one request at a time would otherwise delay each other in every iteration.
constexpr std::size_t kCompany = 4;

/// With so many iterations the host has time for damping and level shifts where DIIS fails.
constexpr int kIterationsForFallbacks = 30;

/// At least `size` values, with room for shapes to come.
template <class Buffer>
void grow(Buffer& buffer, std::size_t size) {
  if (buffer.size() < size) buffer = Buffer(size + size / 2);
}

/// Why a calculation that ended in this way goes to the host.
const char* reasonFor(SlotStatus status) {
  switch (status) {
    case SlotStatus::Dependent:
      return "the basis is near-dependent and needs canonical orthonormalisation";
    case SlotStatus::EigenFailed:
      return "an eigenvector could not be isolated";
    case SlotStatus::OutOfIterations:
      return "DIIS alone did not converge";
    default:
      return "the energy was not a number";
  }
}

}  // namespace

const char* nameOf(Phase phase) {
  constexpr const char* kNames[] = {"set-up",     "guess",    "orbitals", "exchange",
                                    "projection", "decision", "mixing",   "eigenvectors"};
  return kNames[static_cast<int>(phase)];
}

BatchRunner::BatchRunner(int slots, double memoryShare, KernelTables& tables)
    : maxSlots_(slots), memory_(slots, memoryShare), side_(kMaxSymmetries - 1), tables_(tables) {
  newList_ = PinnedBuffer<int>(slots);
  activeList_ = PinnedBuffer<int>(slots);
  remainingList_ = PinnedBuffer<int>(slots);
  lists_ = DeviceBuffer<int>(3 * static_cast<std::size_t>(slots));
  states_ = DeviceBuffer<SlotState>(slots);
  hostStates_ = PinnedBuffer<SlotState>(slots);
  states_.fill(0, stream_.get());
}

void BatchRunner::prepare(const BatchShape& shape) {
  const std::string key = keyOf(shape);
  if (key == shapeKey_) return;
  shapeKey_.clear();
  memory_.fit(shape, [this](int slots) {
    if (probe_) probe_(FaultPoint::Allocation, slots);
  });
  view_ = memory_.view();
  view_.state = states_.data();
  jobs_.clear();
  jobs_.resize(static_cast<std::size_t>(slots()));
  active_.clear();
  free_.clear();
  for (int i = slots() - 1; i >= 0; --i) free_.push_back(i);
  growBuffers();
  uploadTable(shape.arrays);
  // Copied to the host whole, empty slots included.
  PROPHET_CUDA_CHECK(
      cudaMemsetAsync(view_.energies, 0, forSlots(orbitals()) * sizeof(double), stream_.get()));
  shapeKey_ = key;
}

void BatchRunner::growBuffers() {
  const QedView& qed = memory_.qed();
  grow(inputs_, forSlots(view_.shape.inputSize));
  grow(energies_, forSlots(orbitals()));
  grow(spinors_, forSlots(view_.shape.coefficientSize));
  grow(qedInputs_, forSlots(qed.inputSize));
  grow(qedParts_, qed.shape.vectors == 0 ? 0 : forSlots(view_.shape.symmetries * kMostQedParts));
}

void BatchRunner::uploadTable(const Shape& shape) {
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

View BatchRunner::viewOf(const PinnedBuffer<int>& list, int count, int offset) {
  int* target = lists_.data() + static_cast<std::size_t>(offset) * maxSlots_;
  PROPHET_CUDA_CHECK(
      cudaMemcpyAsync(target, list.data(), count * sizeof(int), cudaMemcpyHostToDevice, stream_.get()));
  View v = view_;
  v.list = target;
  v.count = count;
  return v;
}

template <class Launch>
void BatchRunner::timed(Phase phase, Launch launch) {
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

std::optional<BatchJob> BatchRunner::take(JobSource& source) {
  if (again_.empty()) return source.next();
  std::optional<BatchJob> job(std::move(again_.back()));
  again_.pop_back();
  return job;
}

/// The input of a slot's job; true if it has spinors to start from. `tabulated`: whether its nucleus has a
/// table.
bool BatchRunner::upload(int slot, bool& tabulated) {
  if (probe_) probe_(FaultPoint::Packing, slots());
  BatchJob& job = *jobs_[slot];
  const Shape& shape = view_.shape;
  const std::size_t base = slot * static_cast<std::size_t>(shape.inputSize);
  double* input = inputs_.data() + base;
  packInput(job.calculation, shape, job.firstRadius, nuclearTable_, input);
  job.warm = packStart(job.calculation, shape, input);
  const auto copy = [&](int from, int to) {
    PROPHET_CUDA_CHECK(cudaMemcpyAsync(view_.input + base + from, input + from, (to - from) * sizeof(double),
                                       cudaMemcpyHostToDevice, stream_.get()));
  };
  const int points = static_cast<int>(input[kTableCount]);
  tabulated = points > 0;
  copy(0, shape.inTable + points);
  if (job.warm) copy(shape.inStartExponents, shape.inputSize);
  if (memory_.qed().shape.vectors > 0) uploadQed(slot);
  return job.warm;
}

void BatchRunner::uploadQed(int slot) {
  const BatchJob& job = *jobs_[slot];
  const QedView& qed = memory_.qed();
  const std::size_t base = slot * static_cast<std::size_t>(qed.inputSize);
  const int used = packQed(*job.qed, qedRangeOf(job.calculation.inBasis().basis, view_.shape.symmetries),
                           qedInputs_.data() + base);
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(qed.input + base, qedInputs_.data() + base, used * sizeof(double),
                                     cudaMemcpyHostToDevice, stream_.get()));
}

/// A job into a free slot, or to the host where it cannot be packed: there it says itself what is wrong with
/// it.
void BatchRunner::place(BatchJob job, JobSource& source, std::vector<int>& cold, std::vector<int>& warm,
                        bool& tables) {
  const int slot = free_.back();
  jobs_[slot] = std::move(job);
  try {
    bool tabulated = false;
    (upload(slot, tabulated) ? warm : cold).push_back(slot);
    tables = tables || tabulated;
  } catch (const CudaError&) {
    throw;
  } catch (const std::exception& error) {
    BatchJob refused = std::move(*jobs_[slot]);
    jobs_[slot].reset();
    source.leaveToHost(std::move(refused), fmt::format("it could not be packed: {}", error.what()));
    return;
  }
  free_.pop_back();
  active_.push_back(slot);
}

/// New jobs into free slots, up to their first spinors; false where there was none.
bool BatchRunner::fill(JobSource& source) {
  const std::size_t waiting = source.waiting() + again_.size();
  if (!active_.empty() && kCompany * waiting < active_.size()) return false;
  const cudaStream_t stream = stream_.get();
  std::vector<int> cold, warm;
  bool tables = false;
  while (!free_.empty()) {
    std::optional<BatchJob> job = take(source);
    if (!job) break;
    place(std::move(*job), source, cold, warm, tables);
  }
  const int guessed = static_cast<int>(cold.size()), count = guessed + static_cast<int>(warm.size());
  if (count == 0) return false;
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
  return true;
}

/// One iteration of all active slots, up to the decision which of them are finished.
void BatchRunner::iterate() {
  if (probe_) probe_(FaultPoint::Iteration, slots());
  const cudaStream_t stream = stream_.get();
  std::copy(active_.begin(), active_.end(), activeList_.data());
  const View v = viewOf(activeList_, static_cast<int>(active_.size()), 1);
  timed(Phase::Orbitals, [&] { launchOrbitals(v, stream); });
  timed(Phase::Exchange, [&] { launchExchange(v, stream); });
  timed(Phase::Projection, [&] { launchProjection(v, stream); });
  timed(Phase::Decision, [&] { launchDecision(v, stream); });
  fetchStates();
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(energies_.data(), view_.energies, forSlots(orbitals()) * sizeof(double),
                                     cudaMemcpyDeviceToHost, stream));
  stream_.synchronize();
}

void BatchRunner::fetchStates() {
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(hostStates_.data(), states_.data(), forSlots(1) * sizeof(SlotState),
                                     cudaMemcpyDeviceToHost, stream_.get()));
}

/// The slots that have just finished, into remainingList_; how many.
int BatchRunner::listFinished() {
  int count = 0;
  for (const int slot : active_) {
    const auto status = static_cast<SlotStatus>(hostStates_[slot].status);
    if (status == SlotStatus::Converged || status == SlotStatus::OutOfIterations)
      remainingList_[count++] = slot;
  }
  return count;
}

/// Breit energies of the slots that have just finished.
void BatchRunner::breitParts() {
  if (view_.shape.breitParts == 0) return;
  const int count = listFinished();
  if (count == 0) return;
  const View v = viewOf(remainingList_, count, 2);
  timed(Phase::Decision, [&] { launchBreitParts(v, stream_.get()); });
  fetchStates();
  stream_.synchronize();
}

/// The spinors of a slot's last iteration.
std::vector<Eigen::MatrixXd> BatchRunner::coefficientsOf(int slot, const Calculation& calculation) {
  const std::size_t size = view_.shape.coefficientSize;
  std::vector<double> raw(size);
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(raw.data(), view_.coefficients[view_.current] + slot * size,
                                     size * sizeof(double), cudaMemcpyDeviceToHost, stream_.get()));
  stream_.synchronize();
  return slotCoefficients(calculation, view_.shape, raw.data());
}

/// The spinors of converged slots that are to keep them, over the primitives, into spinors_.
void BatchRunner::fetchSpinors() {
  int count = 0;
  for (const int slot : active_) {
    if (hostStates_[slot].status == static_cast<int>(SlotStatus::Converged) &&
        jobs_[slot]->calculation.inBasis().keepSpinors)
      remainingList_[count++] = slot;
  }
  if (count == 0) return;
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

/// QED energies of the slots that have just finished, into qedParts_.
void BatchRunner::fetchQedParts() {
  const QedView& qed = memory_.qed();
  if (qed.shape.vectors == 0) return;
  const int count = listFinished();
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

Result BatchRunner::resultOf(int slot, const Calculation& calculation) const {
  const auto at = static_cast<std::size_t>(slot);
  return slotResult(calculation, view_.shape, hostStates_[at], energies_.data() + at * orbitals(),
                    qedParts_.data() + at * view_.shape.symmetries * kMostQedParts);
}

/// Whether a spinor of a finished slot has left the bound states: the host says which.
bool BatchRunner::anyDived(int slot) const {
  const double* energies = energies_.data() + static_cast<std::size_t>(slot) * orbitals();
  const double c = jobs_[slot]->calculation.problem.hamiltonian.speedOfLight;
  return std::any_of(energies, energies + orbitals(), [c](double e) { return isDived(e, c); });
}

/// Delivers finished calculations and frees their slots.
void BatchRunner::collect(JobSource& source) {
  std::vector<int> remaining;
  for (const int slot : active_) {
    const auto status = static_cast<SlotStatus>(hostStates_[slot].status);
    if (status == SlotStatus::Active) {
      remaining.push_back(slot);
      continue;
    }
    const Calculation& calculation = jobs_[slot]->calculation;
    const bool hopeful = status == SlotStatus::OutOfIterations &&
                         calculation.inBasis().scf.maxIterations >= kIterationsForFallbacks;
    const bool dived = status == SlotStatus::Converged && anyDived(slot);
    const bool done =
        (status == SlotStatus::Converged && !dived) || (status == SlotStatus::OutOfIterations && !hopeful);
    Result result;
    if (done) result = resultOf(slot, calculation);
    const bool estimate = done && asksForSpinors(calculation, result);
    std::vector<Eigen::MatrixXd> coefficients;
    // While the slot has its job: if the device fails here, the job is among the unfinished ones.
    if (estimate) coefficients = coefficientsOf(slot, calculation);
    // Without an estimate it takes some microseconds: less than to hand it on.
    if (done && !estimate && asksForJudgement(calculation, result)) judgeSpinors(calculation, {}, result);
    if (done && status == SlotStatus::Converged && calculation.inBasis().keepSpinors)
      addSpinors(calculation, view_.shape,
                 spinors_.data() + slot * static_cast<std::size_t>(view_.shape.coefficientSize), result);
    BatchJob job = std::move(*jobs_[slot]);
    jobs_[slot].reset();
    free_.push_back(slot);
    if (job.warm && status != SlotStatus::Converged) {
      job.calculation.inBasis().start.reset();
      again_.push_back(std::move(job));
    } else if (!done) {
      source.leaveToHost(std::move(job), dived ? "a spinor dives below -2c^2" : reasonFor(status));
    } else if (estimate) {
      source.judgeOnHost(std::move(job), std::move(result), std::move(coefficients));
    } else {
      job.done(std::move(result));
    }
  }
  active_ = std::move(remaining);
}

/// Orbitals of the next iteration for those that go on.
void BatchRunner::advance() {
  const cudaStream_t stream = stream_.get();
  if (!active_.empty()) {
    std::copy(active_.begin(), active_.end(), remainingList_.data());
    const View v = viewOf(remainingList_, static_cast<int>(active_.size()), 2);
    timed(Phase::Mixing, [&] { launchMixing(v, stream); });
    timed(Phase::Eigenvectors, [&] { launchEigenvectors(v, false, stream, side_); });
  }
  view_.current = 1 - view_.current;
}

void BatchRunner::run(const BatchShape& shape, JobSource& source) {
  prepare(shape);
  for (;;) {
    fill(source);
    if (active_.empty()) return;
    iterate();
    breitParts();
    fetchQedParts();
    fetchSpinors();
    collect(source);
    advance();
  }
}

std::vector<BatchJob> BatchRunner::unfinished() {
  std::vector<BatchJob> list;
  for (std::optional<BatchJob>& job : jobs_) {
    if (job) list.push_back(std::move(*job));
    job.reset();
  }
  for (BatchJob& job : again_) list.push_back(std::move(job));
  again_.clear();
  shapeKey_.clear();
  return list;
}

}  // namespace prophet::cuda::batch
