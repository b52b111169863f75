#include "operations/execution/execution.hpp"

#include <fmt/format.h>

#include "atoms/service/host_service.hpp"
#include "core/common/json_text.hpp"
#include "core/common/thread_pool.hpp"
#include "core/common/write_file.hpp"
#include "core/ranks/agree.hpp"
#include "matter/pairs/ranked_engine.hpp"
#include "operations/execution/fallback_engines.hpp"
#include "operations/execution/gpu_share.hpp"
#include "operations/request/setting.hpp"

namespace prophet {
namespace {

constexpr int kFailure = 1;  // the exit status of what cannot be done

/// The decision between GPU and processor, for every engine. The first rank's opinion counts for all.
template <class Engine, class MakeHost, class MakeDevice>
Opened<Engine> open(const Execution& execution, bool worthwhile, const MakeHost& host,
                    const MakeDevice& device) {
  const RankPlace place = execution.place();
  const bool worth = execution.fromFirst(worthwhile ? "yes" : "no") == "yes";
  Opened<Engine> opened;
  execution.together([&] {
    if (execution.backend == BackendRequest::Cpu || (execution.decides() && !worth)) {
      opened.engine = host(place.threads);
      return;
    }
    GpuShare gpus = openGpuShare(execution.devices, place, execution.cudaLibrary);
    try {
      if (gpus.cuda) opened.engine = device(*gpus.cuda, gpus.devices, place.threads);
    } catch (const std::exception& e) {
      gpus.reason = e.what();
    }
    if (opened.engine) {
      opened.library = std::move(gpus.cuda);
      return;
    }
    if (execution.backend == BackendRequest::Cuda) throw Error("backend cuda: " + gpus.reason);
    opened.note = "CPU, because " + gpus.reason;
    opened.engine = host(place.threads);
  });
  return opened;
}

/// On GPUs with the processor behind them, which takes over unless GPUs are insisted on.
template <class Engine, class Guard, class MakeHost, class MakeDevice>
Opened<Engine> openGuarded(const Execution& execution, double hostSeconds, const MakeHost& host,
                           const MakeDevice& device) {
  return open<Engine>(
      execution, hostSeconds > kGpuStart, host,
      [&](CudaBackend& cuda, const std::vector<int>& devices, int threads) -> std::unique_ptr<Engine> {
        auto instead = execution.backend == BackendRequest::Automatic ? host(threads) : nullptr;
        return std::make_unique<Guard>(device(cuda, devices), std::move(instead));
      });
}

}  // namespace

RankPlace Execution::place() const {
  SingleRank alone;
  RankPlace place = placeOf(ranks ? *ranks : alone, byMpirun);
  if (threads > 0) place.threads = threads;
  return place;
}

void Execution::write(const std::string& path, const std::string& content) const {
  writer ? writer(path, content) : writeFileAtomically(path, content);
}

int Execution::threadsOrAll() const { return threads > 0 ? threads : availableThreads(); }

void Execution::together(const std::function<void()>& step) const {
  if (!ranks || ranks->size() == 1) return step();
  Json problems = Json::array();
  std::exception_ptr error;
  try {
    step();
  } catch (const RequestErrors& e) {
    for (const SettingProblem& p : e.problems()) problems.push_back({p.setting, p.message});
  } catch (...) {
    error = std::current_exception();
  }
  for (const std::string& text : ranks->allGather(problems.empty() ? "" : jsonText(problems))) {
    if (text.empty()) continue;
    std::vector<SettingProblem> list;
    for (const Json& p : Json::parse(text)) list.push_back({p[0], p[1]});
    throw RequestErrors(list);
  }
  agree(*ranks, error, kFailure);
}

std::string Execution::fromFirst(const std::string& text) const {
  return ranks && ranks->size() > 1 ? prophet::fromFirst(*ranks, text) : text;
}

Opened<PairEngine> openPairEngine(const Execution& execution, double hostSeconds) {
  auto opened = openGuarded<PairEngine, FallbackPairEngine>(
      execution, hostSeconds, [](int threads) { return hostPairEngine(threads); },
      [](CudaBackend& cuda, const std::vector<int>& devices) { return cuda.makePairEngine(devices); });
  if (execution.rankCount() > 1)
    opened.engine = std::make_unique<RankedPairEngine>(std::move(opened.engine), *execution.ranks, kFailure);
  return opened;
}

Opened<ShapeEngine> openShapeEngine(const Execution& execution, double hostSeconds) {
  return openGuarded<ShapeEngine, FallbackShapeEngine>(
      execution, hostSeconds, [](int threads) { return hostShapeEngine(threads); },
      [](CudaBackend& cuda, const std::vector<int>& devices) { return cuda.makeShapeEngine(devices); });
}

Opened<SpmeEngine> openSpmeEngine(const Execution& execution, double hostSeconds) {
  return openGuarded<SpmeEngine, FallbackSpmeEngine>(
      execution, hostSeconds, [](int threads) { return hostSpmeEngine(threads); },
      [](CudaBackend& cuda, const std::vector<int>& devices) { return cuda.makeSpmeEngine(devices); });
}

Opened<EnergyService> openEnergyService(const Execution& execution, bool worthwhile) {
  return open<EnergyService>(
      execution, worthwhile,
      [&](int threads) { return std::make_unique<HostEnergyService>(threads, execution.checkpoint); },
      [](CudaBackend& cuda, const std::vector<int>& devices, int threads) {
        return cuda.makeEnergyService(devices, threads);
      });
}

Opened<TrialGatherer> openTrials(const Execution& execution, bool worthwhile) {
  return open<TrialGatherer>(
      execution, worthwhile, [](int) { return nullptr; },
      [](CudaBackend& cuda, const std::vector<int>& devices, int) {
        return std::make_unique<TrialGatherer>(cuda.makeTrialDevice(devices));
      });
}

Opened<EnergyService> openSearchService(Execution execution, int searches) {
  const bool few = searches < kStartsForGpu, decides = execution.decides();
  if (execution.devices.empty() && !(decides && few)) execution.devices = {0};
  Opened<EnergyService> service = openEnergyService(execution, !few);
  if (decides && few)
    service.note = fmt::format("CPU, because fewer than {} searches are quicker there", kStartsForGpu);
  return service;
}

}  // namespace prophet
