#include "frontends/app/batch_service.hpp"

#include <fmt/format.h>

#include "atoms/service/host_service.hpp"
#include "core/common/error.hpp"
#include "operations/execution/gpu_share.hpp"

namespace prophet {
namespace {

/// The GPUs' service, or the reason why there is none.
BatchService onGpus(const std::vector<int>& named, const RankPlace& place, int threads) {
  BatchService service;
  GpuShare share = openGpuShare(named, place, environment::cudaLibrary());
  service.choice = share.reason;
  service.cuda = std::move(share.cuda);
  if (!service.cuda) return service;
  try {
    service.energies = service.cuda->makeEnergyService(share.devices, threads);
  } catch (const std::exception& e) {
    service.choice = e.what();
  }
  return service;
}

}  // namespace

bool sizeDecides(const BackendOptions& options) {
  return options.backend == BackendRequest::Automatic && options.devices.empty();
}

BatchService openBatchService(const BackendOptions& options, const RankPlace& place, int threads,
                              bool worthAGpu) {
  BatchService service;
  if (sizeDecides(options) && !worthAGpu) {
    service.choice = "CPU, because so small a batch is done before a GPU has started";
  } else if (options.backend != BackendRequest::Cpu) {
    service = onGpus(options.devices, place, threads);
    if (service.energies) return service;
    if (options.backend == BackendRequest::Cuda) throw Error("--backend cuda: " + service.choice);
    service.choice = "CPU, because " + service.choice;
  }
  service.energies = std::make_unique<HostEnergyService>(threads);
  return service;
}

BatchService openBatchService(const BackendOptions& options, int threads) {
  return openBatchService(options, RankPlace{}, threads, true);
}

BatchService openHostService(int threads, const std::string& reason) {
  BatchService service;
  service.choice = "CPU, because " + reason;
  service.energies = std::make_unique<HostEnergyService>(threads);
  return service;
}

BatchService openSearchService(BackendOptions options, int searches, int threads) {
  if (sizeDecides(options) && searches < kStartsForGpu)
    return openHostService(threads, fmt::format("fewer than {} searches are quicker there", kStartsForGpu));
  if (options.devices.empty()) options.devices = {0};
  return openBatchService(options, threads);
}

void printNotes(const EnergyService& service, bool quiet, std::FILE* to) {
  if (quiet) return;
  for (const std::string& note : service.notes()) fmt::print(to, "note: {}\n", note);
  std::fflush(to);
}

}  // namespace prophet
