#include "cuda/atoms/batch/batch_runner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "atoms/calculation/judge_basis.hpp"
#include "atoms/scf/scf.hpp"
#include "cuda/atoms/batch/slot_results.hpp"
#include "cuda/core/common/check.hpp"

namespace prophet::cuda::batch {
namespace {

/// Jobs wait until they are one for so many active ones: the guess takes as long for one job as for many, and
/// searches that send one request at a time would otherwise delay each other in every iteration.
constexpr std::size_t kCompany = 4;

/// With so many iterations the host has time for damping and level shifts where DIIS fails.
constexpr int kIterationsForFallbacks = 30;

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

void BatchRunner::prepare(const BatchShape& shape) {
  const std::string key = keyOf(shape);
  if (key == shapeKey_) return;
  shapeKey_.clear();
  device_.fit(shape);
  jobs_.clear();
  jobs_.resize(static_cast<std::size_t>(device_.slots()));
  active_.clear();
  free_.clear();
  for (int i = device_.slots() - 1; i >= 0; --i) free_.push_back(i);
  shapeKey_ = key;
}

std::optional<BatchJob> BatchRunner::take(JobSource& source) {
  if (again_.empty()) return source.next();
  std::optional<BatchJob> job(std::move(again_.back()));
  again_.pop_back();
  return job;
}

/// A job into a free slot, or to the host where it cannot be packed: there it says itself what is wrong with
/// it.
void BatchRunner::place(BatchJob job, JobSource& source, std::vector<int>& cold, std::vector<int>& warm,
                        bool& tables) {
  const int slot = free_.back();
  jobs_[slot] = std::move(job);
  try {
    BatchJob& placed = *jobs_[slot];
    const auto uploaded = device_.upload(slot, placed.calculation, placed.firstRadius, placed.qed.get());
    placed.warm = uploaded.warm;
    (uploaded.warm ? warm : cold).push_back(slot);
    tables = tables || uploaded.tabulated;
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
  std::vector<int> cold, warm;
  bool tables = false;
  while (!free_.empty()) {
    std::optional<BatchJob> job = take(source);
    if (!job) break;
    place(std::move(*job), source, cold, warm, tables);
  }
  if (cold.empty() && warm.empty()) return false;
  device_.begin(cold, warm, tables);
  return true;
}

/// Converged slots that are to keep their spinors.
std::vector<int> BatchRunner::keeping() const {
  std::vector<int> list;
  for (const int slot : active_) {
    if (device_.status(slot) == SlotStatus::Converged && jobs_[slot]->calculation.inBasis().keepSpinors)
      list.push_back(slot);
  }
  return list;
}

/// Whether a spinor of a finished slot has left the bound states: the host says which.
bool BatchRunner::anyDived(int slot) const {
  const double* energies = device_.energies(slot);
  const double c = jobs_[slot]->calculation.problem.hamiltonian.speedOfLight;
  return std::any_of(energies, energies + device_.orbitals(), [c](double e) { return isDived(e, c); });
}

/// Delivers finished calculations and frees their slots.
void BatchRunner::collect(JobSource& source) {
  std::vector<int> remaining;
  for (const int slot : active_) {
    const SlotStatus status = device_.status(slot);
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
    if (done) result = device_.resultOf(slot, calculation);
    const bool estimate = done && asksForSpinors(calculation, result);
    std::vector<Eigen::MatrixXd> coefficients;
    // While the slot has its job: if the device fails here, the job is among the unfinished ones.
    if (estimate) coefficients = device_.coefficientsOf(slot, calculation);
    // Without an estimate it takes some microseconds: less than to hand it on.
    if (done && !estimate && asksForJudgement(calculation, result)) judgeSpinors(calculation, {}, result);
    if (done && status == SlotStatus::Converged && calculation.inBasis().keepSpinors)
      addSpinors(calculation, device_.shape(), device_.spinors(slot), result);
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

void BatchRunner::run(const BatchShape& shape, JobSource& source) {
  prepare(shape);
  for (;;) {
    fill(source);
    if (active_.empty()) return;
    device_.iterate(active_);
    device_.correct(active_);
    device_.fetchSpinors(keeping());
    collect(source);
    device_.advance(active_);
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
