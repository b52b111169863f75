#include "operations/execution/execution.hpp"

#include "core/common/thread_pool.hpp"
#include "core/common/write_file.hpp"
#include "core/ranks/agree.hpp"
#include "operations/execution/fallback_engines.hpp"
#include "operations/execution/gpu_share.hpp"
#include "operations/request/setting.hpp"

namespace prophet {
namespace {

constexpr int kFailure = 1;  // the exit status of what cannot be done

/// The decision between GPU and processor, for every engine. The first rank's estimate counts for all.
template <class Engine, class Guard, class MakeHost, class MakeDevice>
Opened<Engine> open(const Execution& execution, double hostSeconds, const MakeHost& host,
                    const MakeDevice& device) {
  const RankPlace place = execution.place();
  const bool worthwhile = execution.fromFirst(hostSeconds > kGpuStart ? "yes" : "no") == "yes";
  const bool decides = execution.backend == BackendRequest::Automatic && execution.devices.empty();
  Opened<Engine> opened;
  execution.together([&] {
    if (execution.backend == BackendRequest::Cpu || (decides && !worthwhile)) {
      opened.engine = host(place.threads);
      return;
    }
    GpuShare gpus = openGpuShare(execution.devices, place, execution.cudaLibrary);
    if (!gpus.cuda) {
      if (execution.backend == BackendRequest::Cuda) throw Error("backend cuda: " + gpus.reason);
      opened.note = "CPU, because " + gpus.reason;
      opened.engine = host(place.threads);
      return;
    }
    opened.library = std::move(gpus.cuda);
    auto instead = execution.backend == BackendRequest::Automatic ? host(place.threads) : nullptr;
    opened.engine = std::make_unique<Guard>(device(*opened.library, gpus.devices), std::move(instead));
  });
  return opened;
}

}  // namespace

RankPlace Execution::place() const {
  SingleRank alone;
  RankPlace place = placeOf(ranks ? *ranks : alone);
  if (threads > 0) place.threads = threads;
  return place;
}

void Execution::write(const std::string& path, const std::string& content) const {
  writer ? writer(path, content) : writeFileAtomically(path, content);
}

int Execution::threadsOrAll() const { return threads > 0 ? threads : availableThreads(); }

void Execution::together(const std::function<void()>& step) const {
  if (ranks && ranks->size() > 1) {
    prophet::together(*ranks, kFailure, step);
  } else {
    step();
  }
}

std::string Execution::fromFirst(const std::string& text) const {
  return ranks && ranks->size() > 1 ? prophet::fromFirst(*ranks, text) : text;
}

Opened<PairEngine> openPairEngine(const Execution& execution, double hostSeconds) {
  return open<PairEngine, FallbackPairEngine>(
      execution, hostSeconds, [](int threads) { return hostPairEngine(threads); },
      [](CudaBackend& cuda, const std::vector<int>& devices) { return cuda.makePairEngine(devices); });
}

Opened<ShapeEngine> openShapeEngine(const Execution& execution, double hostSeconds) {
  return open<ShapeEngine, FallbackShapeEngine>(
      execution, hostSeconds, [](int threads) { return hostShapeEngine(threads); },
      [](CudaBackend& cuda, const std::vector<int>& devices) { return cuda.makeShapeEngine(devices); });
}

Opened<SpmeEngine> openSpmeEngine(const Execution& execution, double hostSeconds) {
  return open<SpmeEngine, FallbackSpmeEngine>(
      execution, hostSeconds, [](int threads) { return hostSpmeEngine(threads); },
      [](CudaBackend& cuda, const std::vector<int>& devices) { return cuda.makeSpmeEngine(devices); });
}

}  // namespace prophet
