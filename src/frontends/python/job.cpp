#include "frontends/python/job.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "atoms/calculation/compute.hpp"
#include "atoms/service/energy_service.hpp"
#include "core/common/error.hpp"
#include "core/common/threads.hpp"
#include "operations/backend/cuda_plugin.hpp"
#include "operations/jobs/backend_choice.hpp"
#include "operations/jobs/job_warnings.hpp"

namespace prophet::python {
namespace {

constexpr std::chrono::milliseconds kPatience(20);

void requireEnergyOrLimit(const ResolvedJob& job) {
  if (job.job.type != JobType::Energy && job.job.type != JobType::Limit)
    throw Error(
        "jobtype: energy() and limit() compute energies; optimise() and chain() are functions of their own");
}

void prepare(ResolvedJob& job, const ComputeSettings& settings) {
  requireEnergyOrLimit(job);
  if (job.calculation.isLimit()) return;
  job.calculation.inBasis().estimateError = settings.estimateError;
  job.calculation.inBasis().keepSpinors = true;
}

/// Throws Error where a GPU was requested and cannot be used.
std::unique_ptr<CudaBackend> chosenBackend(ResolvedJob& job, const ComputeSettings& s) {
  constexpr const char* kOption = "backend cuda";
  try {
    return chooseBackend(job, s.backend, s.device, s.cudaLibrary);
  } catch (const Error& error) {
    std::string text = error.what();
    if (text.rfind(kOption, 0) != 0) throw;
    throw Error(text.replace(0, std::string(kOption).size(), "device='cuda'"));
  }
}

/// Who computes a batch; the GPU outlives its service.
struct Service {
  std::unique_ptr<CudaBackend> gpu;
  std::unique_ptr<EnergyService> energies;
  std::string whyNot;
};

Service onGpu(const ComputeSettings& s) {
  CudaBackendOrReason cuda = openCudaBackend(s.device, s.cudaLibrary);
  if (!cuda.backend) return {nullptr, nullptr, cuda.reason};
  auto energies = cuda.backend->makeEnergyService({s.device}, s.threadsOrAll());
  return {std::move(cuda.backend), std::move(energies), ""};
}

Service openService(const std::vector<ResolvedJob>& jobs, const ComputeSettings& s,
                    const Checkpoint& checkpoint) {
  const auto load = [&](std::size_t i) { return std::optional<Calculation>(jobs[i].calculation); };
  const bool automatic = s.backend == BackendRequest::Automatic;
  if (s.backend == BackendRequest::Cuda || (automatic && worthAGpu(jobs.size(), s.threadsOrAll(), load))) {
    Service service = onGpu(s);
    if (service.energies) return service;
    if (!automatic) throw Error("device='cuda': " + service.whyNot);
  }
  return {nullptr, std::make_unique<HostEnergyService>(s.threadsOrAll(), checkpoint), ""};
}

}  // namespace

int ComputeSettings::threadsOrAll() const { return threads > 0 ? threads : availableThreads(); }

JobResult compute(const ResolvedJob& request, const ComputeSettings& settings, const Checkpoint& checkpoint,
                  std::shared_ptr<const StartSpinors> start) {
  JobResult done{request, {}, {}};
  prepare(done.job, settings);
  const bool limit = done.job.calculation.isLimit();
  if (start && limit) throw Error("start: a limit does not start from spinors; omit start");
  if (start) done.job.calculation.inBasis().start = std::move(start);
  if (limit && settings.backend == BackendRequest::Cuda)
    throw Error("device='cuda': jobtype='limit' runs on the CPU; omit device");
  const auto gpu = limit ? nullptr : chosenBackend(done.job, settings);
  Resources resources{settings.threadsOrAll(), gpu.get(), checkpoint};
  resources.hostIfGpuFails = settings.backend == BackendRequest::Automatic;
  done.result = prophet::compute(done.job.calculation, resources,
                                 [&](const ScfIteration& step) { done.history.push_back(step); });
  addJobWarnings(done.job, done.result);
  return done;
}

std::vector<JobResult> computeAll(const std::vector<ResolvedJob>& requests, const ComputeSettings& settings,
                                  const BatchObserver& observer, const Checkpoint& checkpoint) {
  std::vector<JobResult> done;
  for (const ResolvedJob& request : requests) {
    done.push_back({request, {}, {}});
    prepare(done.back().job, settings);
  }
  // Shared with the callbacks: after an interruption nobody waits for them.
  const auto mailbox = std::make_shared<Mailbox<std::pair<std::size_t, Result>>>();
  const Service service = openService(requests, settings, checkpoint);
  for (std::size_t i = 0; i < done.size(); ++i)
    service.energies->submit(done[i].job.calculation, [mailbox, i](Result r) {
      mailbox->put({i, std::move(r)});
    });
  for (std::size_t finished = 0; finished < done.size();) {
    pass(checkpoint);
    for (auto& [i, result] : mailbox->takeAll(kPatience)) {
      done[i].result = std::move(result);
      addJobWarnings(done[i].job, done[i].result);
      if (observer) observer(i, done[i]);
      ++finished;
    }
  }
  return done;
}

}  // namespace prophet::python
