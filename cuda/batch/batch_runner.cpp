#include "cuda/batch/batch_runner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "breit/breit.hpp"
#include "calculation/judge_basis.hpp"
#include "cuda/batch/kernels.hpp"
#include "cuda/batch/phase_range.hpp"
#include "cuda/batch/qed_kernels.hpp"
#include "scf/gaussian_wavefunction.hpp"

namespace prophet::cuda::batch {
namespace {

/// Jobs wait until they are one for so many active ones: the guess takes as long for one job as for many, and
/// searches that send one request at a time would otherwise delay each other in every iteration.
constexpr std::size_t kCompany = 4;

/// With so many iterations the host has time for damping and level shifts where DIIS fails.
constexpr int kIterationsForFallbacks = 30;

/// The arrays of the views and the doubles that each takes for one slot.
template <class Visit>
void forEachArray(View& v, QedView& q, Visit visit) {
  const Shape& s = v.shape;
  const std::size_t points = s.points, orbitals = s.firstOrbital[s.symmetries], matrix = s.matrixSize;
  visit(v.input, static_cast<std::size_t>(s.inputSize));
  visit(v.tableNuclear, static_cast<std::size_t>(s.blockSize));
  visit(v.x, static_cast<std::size_t>(s.blockSize));
  visit(v.phi, static_cast<std::size_t>(s.phiSize));
  visit(v.w, 3 * points * points * s.symmetries);
  visit(v.core, matrix);
  visit(v.closedFock, matrix);
  visit(v.mixed, matrix);
  visit(v.nuclear, static_cast<std::size_t>(s.blockSize));
  visit(v.focks, kDiisDepth * matrix);
  visit(v.errors, kDiisDepth * matrix);
  visit(v.products, static_cast<std::size_t>(kDiisDepth) * kDiisDepth);
  visit(v.weights, static_cast<std::size_t>(kDiisDepth));
  visit(v.coefficients[0], static_cast<std::size_t>(s.coefficientSize));
  visit(v.coefficients[1], static_cast<std::size_t>(s.coefficientSize));
  visit(v.orbitals, 2 * orbitals * points);
  visit(v.potential, points);
  visit(v.openFock, static_cast<std::size_t>(s.vectorSize));
  visit(v.energies, orbitals);
  visit(v.partials, static_cast<std::size_t>(kMaxSymmetries) * kPartials);
  if (q.shape.vectors == 0) return;
  visit(q.input, static_cast<std::size_t>(q.inputSize));
  visit(q.matrices, static_cast<std::size_t>(q.matrixSize));
  visit(q.parts, static_cast<std::size_t>(s.symmetries) * kMostQedParts);
}

QedView qedViewOf(const BatchShape& shape) {
  QedView q{};
  q.shape = shape.qed;
  if (q.shape.vectors == 0) return q;
  q.inputSize = kQedFactors + q.shape.vectors * (kMaxSymmetries + kQedPoints);
  q.matrixSize = q.shape.inScf ? shape.arrays.blockSize / 2 * 3 : 0;
  return q;
}

std::size_t doublesPerSlot(const BatchShape& shape) {
  View view{};
  view.shape = shape.arrays;
  QedView qed = qedViewOf(shape);
  std::size_t sum = 0;
  forEachArray(view, qed, [&](double*&, std::size_t size) { sum += size; });
  return sum;
}

/// Every array begins on a line of 128 bytes.
constexpr std::size_t kLine = 16, kMostArrays = 32;
constexpr std::size_t wholeLines(std::size_t doubles) { return (doubles + kLine - 1) / kLine * kLine; }

/// Doubles of an arena for so many slots, and slots of an arena.
std::size_t arenaFor(std::size_t slots, std::size_t perSlot) { return slots * perSlot + kLine * kMostArrays; }
std::size_t slotsOf(std::size_t arena, std::size_t perSlot) {
  return arena < kLine * kMostArrays ? 0 : (arena - kLine * kMostArrays) / perSlot;
}

/// An arena begins with so many doubles (4 GB) where the device has them, and serves a shape of which it
/// holds so many slots: mixed work changes its shape all the time, and every device waits while memory is
/// taken.
constexpr std::size_t kUsualArena = std::size_t{1} << 29, kEnoughSlots = 256;

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
    : maxSlots_(slots), memoryShare_(memoryShare), side_(kMaxSymmetries - 1), tables_(tables) {
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
  const std::size_t perSlot = doublesPerSlot(shape), most = maxSlots_;
  std::size_t slots = std::min(most, slotsOf(arena_.size(), perSlot));
  if (slots < std::min(most, kEnoughSlots)) {
    std::size_t freeBytes = 0, totalBytes = 0;
    PROPHET_CUDA_CHECK(cudaMemGetInfo(&freeBytes, &totalBytes));
    const auto budget =
        static_cast<std::size_t>(memoryShare_ * static_cast<double>(freeBytes)) / sizeof(double) +
        arena_.size();
    slots = std::max(slots, std::min(most, std::max<std::size_t>(1, slotsOf(budget, perSlot))));
  }
  allocate(shape, slots);
  uploadTable(shape.arrays);
  // Copied to the host whole, empty slots included.
  const std::size_t energies =
      slots_ * static_cast<std::size_t>(shape.arrays.firstOrbital[shape.arrays.symmetries]);
  PROPHET_CUDA_CHECK(cudaMemsetAsync(view_.energies, 0, energies * sizeof(double), stream_.get()));
  shapeKey_ = key;
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

/// Memory for so many slots, or for half as many, and so on, where the device has no more.
void BatchRunner::allocate(const BatchShape& shape, std::size_t slots) {
  const std::size_t perSlot = doublesPerSlot(shape);
  for (;;) {
    try {
      if (probe_) probe_(FaultPoint::Allocation, static_cast<int>(slots));
      const std::size_t need = arenaFor(slots, perSlot);
      if (need > arena_.size()) {
        std::size_t freeBytes = 0, totalBytes = 0;
        PROPHET_CUDA_CHECK(cudaMemGetInfo(&freeBytes, &totalBytes));
        const auto budget =
            static_cast<std::size_t>(memoryShare_ * static_cast<double>(freeBytes)) / sizeof(double);
        arena_ = DeviceBuffer<double>();
        arena_ = DeviceBuffer<double>(std::max(need, std::min(budget, kUsualArena)));
      }
      carve(shape, slots);
      return;
    } catch (const OutOfDeviceMemory&) {
      if (slots == 1) throw;
      slots = (slots + 1) / 2;
      const int left = static_cast<int>(slots);
      fewest_ = fewest_ == 0 ? left : std::min(fewest_, left);
    }
  }
}

void BatchRunner::carve(const BatchShape& shape, std::size_t slots) {
  view_ = View{};
  view_.shape = shape.arrays;
  qed_ = qedViewOf(shape);
  double* next = arena_.data();
  forEachArray(view_, qed_, [&](double*& array, std::size_t size) {
    array = next;
    next += wholeLines(size * slots);
  });
  view_.state = states_.data();
  grow(inputs_, slots * shape.arrays.inputSize);
  grow(energies_, slots * shape.arrays.firstOrbital[shape.arrays.symmetries]);
  grow(spinors_, slots * shape.arrays.coefficientSize);
  grow(qedInputs_, slots * qed_.inputSize);
  grow(qedParts_, qed_.shape.vectors == 0 ? 0 : slots * shape.arrays.symmetries * kMostQedParts);
  slots_ = static_cast<int>(slots);
  jobs_.clear();
  jobs_.resize(slots);
  free_.clear();
  for (int i = slots_ - 1; i >= 0; --i) free_.push_back(i);
  active_.clear();
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
  if (probe_) probe_(FaultPoint::Packing, slots_);
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
  if (qed_.shape.vectors > 0) uploadQed(slot);
  return job.warm;
}

void BatchRunner::uploadQed(int slot) {
  const BatchJob& job = *jobs_[slot];
  const std::size_t base = slot * static_cast<std::size_t>(qed_.inputSize);
  const int used = packQed(*job.qed, qedRangeOf(job.calculation.inBasis().basis, view_.shape.symmetries),
                           qedInputs_.data() + base);
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(qed_.input + base, qedInputs_.data() + base, used * sizeof(double),
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
    if (qed_.shape.inScf) launchQedMatrices(v, qed_, stream);
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
  if (probe_) probe_(FaultPoint::Iteration, slots_);
  const cudaStream_t stream = stream_.get();
  std::copy(active_.begin(), active_.end(), activeList_.data());
  const View v = viewOf(activeList_, static_cast<int>(active_.size()), 1);
  timed(Phase::Orbitals, [&] { launchOrbitals(v, stream); });
  timed(Phase::Exchange, [&] { launchExchange(v, stream); });
  timed(Phase::Projection, [&] { launchProjection(v, stream); });
  timed(Phase::Decision, [&] { launchDecision(v, stream); });
  fetchStates();
  const std::size_t energies =
      slots_ * static_cast<std::size_t>(view_.shape.firstOrbital[view_.shape.symmetries]);
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(energies_.data(), view_.energies, energies * sizeof(double),
                                     cudaMemcpyDeviceToHost, stream));
  stream_.synchronize();
}

void BatchRunner::fetchStates() {
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(hostStates_.data(), states_.data(), slots_ * sizeof(SlotState),
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

Result BatchRunner::resultOf(int slot, const BatchJob& job) const {
  const SlotState& state = hostStates_[slot];
  const Shape& shape = view_.shape;
  const Hamiltonian& h = job.calculation.problem.hamiltonian;
  Result result;
  result.energy = coulombBreakdown(state.kinetic, state.nuclear, state.twoElectron);
  result.energy.total = state.energy;
  result.virialRatio = state.virialRatio;
  if (h.qedInScf()) addQed(slot, job, result);
  result.energy.addBreit(prophet::breitParts(h.repulsion, {state.gaunt, state.gauge}, h.breitTreatment));
  if (h.qed.any() && !h.qedInScf()) addQed(slot, job, result);
  result.iterations = state.iteration;
  result.status = Status::Converged;
  if (state.status == static_cast<int>(SlotStatus::OutOfIterations)) {
    markNotConverged(result, fmt::format("not converged in {} iterations (last energy change {:.1e} hartree)",
                                         state.iteration, state.change));
  }
  result.provenance.method = "grid";
  result.provenance.backend = "cuda";
  const Configuration& configuration = job.calculation.problem.configuration;
  const double* energies =
      energies_.data() + static_cast<std::size_t>(slot) * shape.firstOrbital[shape.symmetries];
  for (int a = 0; a < shape.symmetries; ++a) {
    for (int i = 0; i < shape.m[a]; ++i) {
      Spinor spinor;
      spinor.symmetry = Symmetry::fromIndex(a);
      spinor.n = spinor.symmetry.l() + i + 1;
      spinor.occupation = configuration.occupation(a, i);
      spinor.energy = energies[shape.firstOrbital[a] + i];
      spinor.bound = spinor.energy < 0;
      result.spinors.push_back(spinor);
    }
  }
  warnOfNucleus(job.calculation.problem, result);
  judgeBinding(result);
  if (const auto& known = job.calculation.inBasis().knownError; known && result.ok())
    result.basisError = BasisError{*known, true, 0};
  return result;
}

/// The spinors of the last iteration, without the padding.
std::vector<Eigen::MatrixXd> BatchRunner::coefficientsOf(int slot, const Calculation& calculation) {
  const Shape& shape = view_.shape;
  const std::size_t size = shape.coefficientSize;
  std::vector<double> raw(size);
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(raw.data(), view_.coefficients[view_.current] + slot * size,
                                     size * sizeof(double), cudaMemcpyDeviceToHost, stream_.get()));
  stream_.synchronize();
  std::vector<Eigen::MatrixXd> coefficients;
  for (int a = 0; a < shape.symmetries; ++a) {
    const int count = calculation.inBasis().basis.symmetries[a].size(), padded = shape.n[a];
    const Eigen::Map<const Eigen::MatrixXd> all(raw.data() + shape.coefficients[a], 2 * padded, shape.m[a]);
    Eigen::MatrixXd& mine = coefficients.emplace_back(2 * count, shape.m[a]);
    mine.topRows(count) = all.topRows(count);
    mine.bottomRows(count) = all.middleRows(padded, count);
  }
  return coefficients;
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
  if (qed_.shape.vectors == 0) return;
  const int count = listFinished();
  if (count == 0) return;
  const View v = viewOf(remainingList_, count, 2);
  timed(Phase::Decision, [&] {
    launchSpinors(v, stream_.get());
    launchQedParts(v, qed_, stream_.get());
  });
  const std::size_t size = static_cast<std::size_t>(slots_) * view_.shape.symmetries * kMostQedParts;
  PROPHET_CUDA_CHECK(cudaMemcpyAsync(qedParts_.data(), qed_.parts, size * sizeof(double),
                                     cudaMemcpyDeviceToHost, stream_.get()));
  stream_.synchronize();
}

/// The parts that fetchQedParts brought of a slot. What the self-consistent field had of them is so far among
/// its kinetic energy and momentum, which are what the nucleus leaves of the one-electron Hamiltonian.
void BatchRunner::addQed(int slot, const BatchJob& job, Result& result) const {
  const Hamiltonian& h = job.calculation.problem.hamiltonian;
  const double* sums =
      qedParts_.data() + static_cast<std::size_t>(slot) * view_.shape.symmetries * kMostQedParts;
  const std::vector<EnergyPartId> ids = qedPartsOf(h.qed);
  double whole = 0.0;
  for (std::size_t part = 0; part < ids.size(); ++part) {
    double value = 0.0;
    for (int a = 0; a < view_.shape.symmetries; ++a) value += sums[a * kMostQedParts + part];
    result.energy.add(ids[part], value, h.qedTreatment);
    whole += value;
  }
  if (!h.qedInScf()) return;
  const SlotState& state = hostStates_[slot];
  const double potential = -(state.nuclear + state.twoElectron), momentum = potential / state.virialRatio;
  result.energy.parts.front().value -= whole;  // kinetic
  result.virialRatio = potential / (momentum - whole);
}

/// What fetchSpinors brought of a slot.
void BatchRunner::addSpinors(int slot, const Calculation& calculation, Result& result) const {
  const Shape& shape = view_.shape;
  StartSpinors spinors{calculation.inBasis().basis, {}, {}};
  spinors.basis.symmetries.resize(shape.symmetries);
  const double* raw = spinors_.data() + static_cast<std::size_t>(slot) * shape.coefficientSize;
  for (int a = 0; a < shape.symmetries; ++a) {
    const int count = spinors.basis.symmetries[a].size(), padded = shape.n[a];
    const Eigen::Map<const Eigen::MatrixXd> all(raw + shape.coefficients[a], 2 * padded, shape.m[a]);
    spinors.large.emplace_back(all.topRows(count));
    spinors.small.emplace_back(all.middleRows(padded, count));
  }
  result.coefficients = std::make_shared<const StartSpinors>(std::move(spinors));
  result.wavefunction = std::make_shared<GaussianWavefunction>(result.coefficients);
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
    const bool done = status == SlotStatus::Converged || (status == SlotStatus::OutOfIterations && !hopeful);
    Result result;
    if (done) result = resultOf(slot, *jobs_[slot]);
    const bool estimate = done && asksForSpinors(calculation, result);
    std::vector<Eigen::MatrixXd> coefficients;
    // While the slot has its job: if the device fails here, the job is among the unfinished ones.
    if (estimate) coefficients = coefficientsOf(slot, calculation);
    // Without an estimate it takes some microseconds: less than to hand it on.
    if (done && !estimate && asksForJudgement(calculation, result)) judgeSpinors(calculation, {}, result);
    if (status == SlotStatus::Converged && calculation.inBasis().keepSpinors)
      addSpinors(slot, calculation, result);
    BatchJob job = std::move(*jobs_[slot]);
    jobs_[slot].reset();
    free_.push_back(slot);
    if (job.warm && status != SlotStatus::Converged) {
      job.calculation.inBasis().start.reset();
      again_.push_back(std::move(job));
    } else if (!done) {
      source.leaveToHost(std::move(job), reasonFor(status));
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
