#include "cudaprophet/batch.hpp"

#include <optional>

#include "atoms/service/energy_service.hpp"
#include "frontends/api/convert.hpp"
#include "operations/execution/execution.hpp"
#include "operations/jobs/job_warnings.hpp"

namespace cudaprophet {
namespace {

prophet::Opened<prophet::EnergyService> openService(const BatchSettings& s,
                                                    const std::vector<prophet::Calculation>& list) {
  const auto load = [&](std::size_t i) { return std::optional<prophet::Calculation>(list[i]); };
  const bool open = s.device == Device::Automatic;
  prophet::Execution execution;
  execution.backend = open                      ? prophet::BackendRequest::Automatic
                      : s.device == Device::Gpu ? prophet::BackendRequest::Cuda
                                                : prophet::BackendRequest::Cpu;
  execution.threads = s.settings.threads;
  execution.cudaLibrary = s.cudaLibrary;
  return openEnergyService(execution, open && prophet::worthAGpu(list.size(), s.settings.threads, load));
}

std::vector<Result> computed(const std::vector<BatchJob>& jobs, const BatchSettings& settings) {
  std::vector<Result> results(jobs.size());
  std::vector<prophet::Calculation> list;
  std::vector<std::size_t> places;  // of the list's members among the jobs
  std::vector<std::vector<std::string>> choices;
  std::vector<std::vector<prophet::Warning>> warnings;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    try {
      const BasisSet* basis = jobs[i].basis ? &*jobs[i].basis : nullptr;
      prophet::ResolvedJob job = resolved(jobs[i].atom, basis, jobs[i].limit, settings.settings);
      warnings.push_back(prophet::jobWarnings(job));
      list.push_back(std::move(job.calculation));
      choices.push_back(std::move(job.choices));
      places.push_back(i);
    } catch (const prophet::Error& e) {
      results[i] = resultOf(prophet::failedResult(e.what()), {});
    }
  }
  const auto service = openService(settings, list);
  std::size_t finished = jobs.size() - list.size();
  auto all = service->evaluateAll(list, [&](std::size_t, const prophet::Result&) {
    if (settings.progress) settings.progress(++finished, jobs.size());
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].warnings.insert(all[i].warnings.begin(), warnings[i].begin(), warnings[i].end());
    results[places[i]] = resultOf(all[i], choices[i]);
  }
  return results;
}

}  // namespace

std::vector<Result> computeAll(const std::vector<BatchJob>& jobs, const BatchSettings& settings) {
  return translated([&] { return computed(jobs, settings); });
}

}  // namespace cudaprophet
