#include "cudaprophet/batch.hpp"

#include <memory>

#include "atoms/service/host_service.hpp"
#include "frontends/api/convert.hpp"
#include "operations/backend/cuda_plugin.hpp"

namespace cudaprophet {
namespace {

/// Who computes; the GPU outlives its service.
struct Service {
  std::unique_ptr<prophet::CudaBackend> gpu;
  std::unique_ptr<prophet::EnergyService> energies;
};

Service openService(const BatchSettings& s, const std::vector<prophet::Calculation>& list) {
  const auto onHost = [&]() -> Service {
    return {nullptr, std::make_unique<prophet::HostEnergyService>(s.settings.threads)};
  };
  const auto load = [&](std::size_t i) { return std::optional<prophet::Calculation>(list[i]); };
  if (s.device == Device::Cpu) return onHost();
  if (s.device == Device::Automatic && !prophet::worthAGpu(list.size(), s.settings.threads, load))
    return onHost();
  prophet::CudaBackendOrReason cuda = prophet::openCudaBackend(0, s.cudaLibrary);
  if (!cuda.backend) {
    if (s.device == Device::Gpu) throw prophet::Error("no GPU for the batch: " + cuda.reason);
    return onHost();
  }
  auto energies = cuda.backend->makeEnergyService({}, s.settings.threads);
  return {std::move(cuda.backend), std::move(energies)};
}

std::vector<Result> computed(const std::vector<BatchJob>& jobs, const BatchSettings& settings) {
  std::vector<Result> results(jobs.size());
  std::vector<prophet::Calculation> list;
  std::vector<std::size_t> places;  // of the list's members among the jobs
  std::vector<std::vector<std::string>> choices;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    try {
      const BasisSet* basis = jobs[i].basis ? &*jobs[i].basis : nullptr;
      prophet::ResolvedJob job = resolved(jobs[i].atom, basis, jobs[i].limit, settings.settings);
      list.push_back(std::move(job.calculation));
      choices.push_back(std::move(job.choices));
      places.push_back(i);
    } catch (const prophet::Error& e) {
      results[i] = resultOf(prophet::failedResult(e.what()), {});
    }
  }
  const Service service = openService(settings, list);
  std::size_t finished = jobs.size() - list.size();
  const auto all = service.energies->evaluateAll(list, [&](std::size_t, const prophet::Result&) {
    if (settings.progress) settings.progress(++finished, jobs.size());
  });
  for (std::size_t i = 0; i < all.size(); ++i) results[places[i]] = resultOf(all[i], choices[i]);
  return results;
}

}  // namespace

std::vector<Result> computeAll(const std::vector<BatchJob>& jobs, const BatchSettings& settings) {
  return translated([&] { return computed(jobs, settings); });
}

}  // namespace cudaprophet
