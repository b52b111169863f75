#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "atoms/calculation/result.hpp"
#include "atoms/scf/scf.hpp"
#include "core/common/stopwatch.hpp"
#include "operations/jobs/resolve.hpp"

/// What the Python module holds of the core.
namespace prophet::python {

/// A result with the job that it belongs to and the history of its iterations.
struct JobResult {
  ResolvedJob job;
  Result result;
  std::vector<ScfIteration> history;
  std::string input{};  ///< text of an input file that asks for the same
};

struct ComputeSettings {
  int threads = 0;  ///< 0: as many as this process may use
  bool estimateError = true;
  BackendRequest backend = BackendRequest::Automatic;
  int device = 0;
  std::string cudaLibrary;
  int threadsOrAll() const;
};

/// An energy or a limit.
/// `start`: spinors to start from, of a similar calculation; may be null.
JobResult compute(const ResolvedJob& job, const ComputeSettings& settings, const Checkpoint& checkpoint,
                  std::shared_ptr<const StartSpinors> start = nullptr);

/// Called from one thread: the position of a job and its result.
using BatchObserver = std::function<void(std::size_t, const JobResult&)>;

/// Many at once; jobs without a calculation are left out by the caller. Backend Automatic: a GPU where there
/// is one and the batch is worth its start. Throws Error where a GPU was requested and cannot be used.
std::vector<JobResult> computeAll(const std::vector<ResolvedJob>& jobs, const ComputeSettings& settings,
                                  const BatchObserver& observer, const Checkpoint& checkpoint);

}  // namespace prophet::python
