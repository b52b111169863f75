#include "operations/execution/execution.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "atoms/service/energy_service.hpp"
#include "core/common/failure.hpp"
#include "core/common/files.hpp"
#include "core/common/json_text.hpp"
#include "core/common/threads.hpp"
#include "core/ranks/ranks.hpp"
#include "matter/pairs/pair_engine.hpp"
#include "operations/backend/cuda_plugin.hpp"
#include "operations/request/setting.hpp"

namespace prophet {
namespace {

std::vector<int> allowedProcessors() {
  std::vector<int> list;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) {
    for (int i = 0; i < availableThreads(); ++i) list.push_back(i);
    return list;
  }
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) list.push_back(i);
  }
  return list;
}

/// mpirun binds few ranks to one core each, which a program with threads hardly wants.
std::string bindingHint(const std::vector<std::vector<int>>& processors) {
  std::set<int> used;
  for (const auto& one : processors) used.insert(one.begin(), one.end());
  const long online = ::sysconf(_SC_NPROCESSORS_ONLN);
  if (static_cast<long>(used.size()) >= online) return "";
  return fmt::format(
      "the ranks of a machine are bound to {} of its {} processors; mpirun --bind-to none frees them",
      used.size(), online);
}

}  // namespace

RankPlace placeOf(Ranks& ranks, bool byMpirun) {
  std::string mine = std::to_string(ranks.machine());
  for (const int processor : allowedProcessors()) mine += " " + std::to_string(processor);
  std::map<int, std::vector<std::vector<int>>> machines;
  RankPlace place;
  const auto all = ranks.allGather(mine);
  for (int rank = 0; rank < ranks.size(); ++rank) {
    std::istringstream in(all[rank]);
    int machine = 0;
    in >> machine;
    if (rank == ranks.rank()) place.local = static_cast<int>(machines[machine].size());
    std::vector<int>& processors = machines[machine].emplace_back();
    for (int processor; in >> processor;) processors.push_back(processor);
  }
  const auto& neighbours = machines[ranks.machine()];
  place.locals = static_cast<int>(neighbours.size());
  place.threads = shareOfProcessors(neighbours, static_cast<std::size_t>(place.local));
  place.machines = static_cast<int>(machines.size());
  if (ranks.size() > 1 && byMpirun) place.hint = bindingHint(neighbours);
  return place;
}

int shareOfProcessors(const std::vector<std::vector<int>>& processors, std::size_t mine) {
  double sum = 0;
  for (const int processor : processors[mine]) {
    sum += 1.0 / static_cast<double>(std::ranges::count_if(processors, [&](const auto& one) {
             return std::ranges::find(one, processor) != one.end();
           }));
  }
  return std::max(1, static_cast<int>(std::floor(sum + 1e-9)));
}

std::vector<int> shareOfDevices(const std::vector<int>& devices, const RankPlace& place) {
  const int count = static_cast<int>(devices.size());
  if (count == 0) return {};
  if (count <= place.locals) return {devices[place.local % count]};
  std::vector<int> mine;
  for (int i = place.local; i < count; i += place.locals) mine.push_back(devices[i]);
  return mine;
}

/// The GPUs of this rank, or why there are none.
struct GpuShare {
  std::unique_ptr<CudaBackend> cuda;
  std::vector<int> devices;
  std::string reason;  ///< where `cuda` is empty
};

namespace {

std::vector<int> allDevices(const CudaBackend& cuda) {
  std::vector<int> list(static_cast<std::size_t>(cuda.visibleDevices()));
  std::iota(list.begin(), list.end(), 0);
  return list;
}

}  // namespace

/// Opens this rank's part of the GPUs of `named` (numbers; empty: of all that are visible) with the CUDA
/// library of the file `cudaLibrary`, as for openCudaBackend. Never throws.
GpuShare openGpuShare(const std::vector<int>& named, const RankPlace& place, const std::string& cudaLibrary) {
  GpuShare share;
  // The first GPU answers for the driver, the others for their number: any of them may be missing.
  share.devices = shareOfDevices(named, place);
  for (const int device : share.devices.empty() ? std::vector<int>{0} : share.devices) {
    CudaBackendOrReason cuda = openCudaBackend(device, cudaLibrary);
    share.reason = cuda.reason;
    if (!cuda.backend) {
      share.cuda.reset();
      return share;
    }
    if (!share.cuda) share.cuda = std::move(cuda.backend);
  }
  if (!share.devices.empty()) return share;
  try {
    share.devices = shareOfDevices(allDevices(*share.cuda), place);
  } catch (const std::exception& e) {
    share.reason = e.what();
    share.cuda.reset();
  }
  return share;
}

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
  agree(*ranks, error);
}

std::string Execution::fromFirst(const std::string& text) const {
  return ranks && ranks->size() > 1 ? prophet::fromFirst(*ranks, text) : text;
}

// The first rank's opinion counts for all.
EnginePlace placeEngine(const Execution& execution, bool worthwhile, const EngineMaking& make) {
  const RankPlace place = execution.place();
  const bool worth = execution.fromFirst(worthwhile ? "yes" : "no") == "yes";
  EnginePlace made;
  execution.together([&] {
    if (execution.backend == BackendRequest::Cpu || (execution.decides() && !worth))
      return make(nullptr, {}, place.threads);
    GpuShare gpus = openGpuShare(execution.devices, place, execution.cudaLibrary);
    try {
      if (gpus.cuda) {
        make(gpus.cuda.get(), gpus.devices, place.threads);
        made.library = std::move(gpus.cuda);
        return;
      }
    } catch (const std::exception& e) {
      gpus.reason = e.what();
    }
    if (execution.backend == BackendRequest::Cuda) throw FailureError("backend cuda: " + gpus.reason);
    made.note = "CPU, because " + gpus.reason;
    make(nullptr, {}, place.threads);
  });
  return made;
}

void placeChargeSums(const Execution& execution, ChargeSumOptions& options) {
  if (execution.backend == BackendRequest::Cuda) {
    if (options.ewald.value_or(false))
      throw Error("ewald is computed on the CPU; with a GPU, take method spread, gather or filter");
    options.ewald = false;
  }
  options.engine = [execution](double seconds) -> std::shared_ptr<SpmeEngine> {
    const auto opened =
        std::make_shared<Opened<SpmeEngine>>(openEngine<SpmeEngine>(execution, seconds > kGpuStart));
    return {opened, opened->engine.get()};
  };
}

Opened<EnergyService> openSearchService(Execution execution, int searches) {
  const bool few = searches < kStartsForGpu, decides = execution.decides();
  if (execution.devices.empty() && !(decides && few)) execution.devices = {0};
  Opened<EnergyService> service = openEngine<EnergyService>(execution, !few);
  if (decides && few)
    service.note = fmt::format("CPU, because fewer than {} searches are faster there", kStartsForGpu);
  return service;
}

PairHistogram FallbackPairEngine::histogram(const Structure& s, const HistogramRequest& r) {
  return engines_.with([&](PairEngine& e) { return e.histogram(s, r); });
}

DebyeSums FallbackPairEngine::direct(const Structure& s, const DebyeRequest& r) {
  return engines_.with([&](PairEngine& e) { return e.direct(s, r); });
}

DebyeSums FallbackPairEngine::transform(const PairHistogram& h, const Eigen::VectorXd& q) {
  return engines_.with([&](PairEngine& e) { return e.transform(h, q); });
}

Eigen::VectorXd FallbackPairEngine::sincSum(const std::vector<double>& distances, const Eigen::VectorXd& q) {
  return engines_.with([&](PairEngine& e) { return e.sincSum(distances, q); });
}

FormFactor FallbackShapeEngine::sumOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid,
                                          Precision precision) {
  return engines_.with([&](ShapeEngine& e) { return e.sumOnGrid(elements, grid, precision); });
}

FormFactor FallbackShapeEngine::sumAtPoints(const std::vector<SurfaceElement>& elements, const QPoints& q,
                                            Precision precision) {
  return engines_.with([&](ShapeEngine& e) { return e.sumAtPoints(elements, q, precision); });
}

Eigen::MatrixXcd FallbackShapeEngine::sumOnRows(const std::vector<SurfaceElement>& elements, const QRows& q,
                                                Precision precision) {
  return engines_.with([&](ShapeEngine& e) { return e.sumOnRows(elements, q, precision); });
}

FormFactor FallbackShapeEngine::transformOnGrid(const std::vector<SurfaceElement>& elements,
                                                const QGrid& grid, double tolerance, Precision precision) {
  return engines_.with(
      [&](ShapeEngine& e) { return e.transformOnGrid(elements, grid, tolerance, precision); });
}

Electrostatics FallbackSpmeEngine::compute(const ChargedCell& cell, const SpmeParameters& parameters,
                                           SpmeTimes* times) {
  return engines_.with([&](SpmeEngine& e) { return e.compute(cell, parameters, times); });
}

}  // namespace prophet
