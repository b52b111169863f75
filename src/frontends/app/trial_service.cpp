#include "frontends/app/trial_service.hpp"

#include <fmt/format.h>

#include "core/common/error.hpp"
#include "frontends/app/backend_options.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/print.hpp"

namespace prophet {
namespace {

/// The GPUs' library where GPUs are asked for, or where they are `worthwhile` and there are some; else empty,
/// and `note` says why, if there is anything to say. Throws Error if the GPU is insisted on and there is
/// none.
std::unique_ptr<CudaBackend> cudaFor(const BackendOptions& options, bool worthwhile, std::string& note) {
  if (options.backend == BackendRequest::Cpu || (sizeDecides(options) && !worthwhile)) return nullptr;
  const int first = options.devices.empty() ? 0 : options.devices.front();
  CudaBackendOrReason cuda = openCudaBackend(first, environment::cudaLibrary());
  if (cuda.backend) return std::move(cuda.backend);
  if (options.backend == BackendRequest::Cuda) throw Error("--backend cuda: " + cuda.reason);
  note = "CPU, because " + cuda.reason;
  return nullptr;
}

}  // namespace

TrialService::TrialService(const BackendOptions& options, int elements, int threads) : permits_(threads) {
  const bool worthwhile = elements >= kElementsForGpu;
  if (sizeDecides(options) && !worthwhile)
    choice_ =
        fmt::format("CPU, because the searches of fewer than {} elements are quicker there", kElementsForGpu);
  cuda_ = cudaFor(options, worthwhile, choice_);
  if (!cuda_) return;
  try {
    gatherer_ = std::make_unique<TrialGatherer>(cuda_->makeTrialDevice(options.devices));
  } catch (const Error& error) {
    if (options.backend == BackendRequest::Cuda) throw;
    choice_ = std::string("CPU, because ") + error.what();
  }
}

void TrialService::printSummary() const {
  if (!gatherer_) return;
  const TrialGatherer::Tally t = gatherer_->tally();
  print(fmt::format("{} trials in {} batches on {}, which left {} to the CPU\n", t.measured, t.batches,
                    gatherer_->deviceName(), t.left));
  for (const std::string& note : gatherer_->notes()) print("note: " + note + "\n");
}

}  // namespace prophet
