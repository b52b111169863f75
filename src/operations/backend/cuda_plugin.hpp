#pragma once
#include <memory>
#include <string>
#include <vector>

#include "atoms/calculation/calculation.hpp"
#include "atoms/correlation/correlation_engine.hpp"
#include "atoms/frozen/trial_gatherer.hpp"
#include "atoms/levels/level_engine.hpp"
#include "atoms/service/energy_service.hpp"
#include "matter/madelung/spme.hpp"
#include "matter/pairs/pair_engine.hpp"
#include "matter/shape/surface_sum.hpp"

namespace prophet {

/// Stands for a kind of engine where functions are told apart by what they make.
template <class Engine>
struct EngineKind {};

template <class Engine>
class EngineMaker {
 public:
  virtual ~EngineMaker() = default;
  /// An engine on the GPUs with these numbers (empty: all that are visible); kinds that work on one GPU take
  /// the first. `hostThreads`: for what a GPU cannot do.
  virtual std::unique_ptr<Engine> make(EngineKind<Engine>, const std::vector<int>& devices,
                                       int hostThreads) = 0;
};

/// What makes engines of all these kinds.
template <class... Engines>
class EngineMakers : public EngineMaker<Engines>... {
 public:
  using EngineMaker<Engines>::make...;
};

/// A maker that makes `Engine`s of the class `Made`, from the numbers of the GPUs.
template <class Maker, class Engine, class Made>
class Making : public Maker {
 public:
  using Maker::make;
  std::unique_ptr<Engine> make(EngineKind<Engine>, const std::vector<int>& devices, int) override {
    return std::make_unique<Made>(devices);
  }
};

/// An engine of a kind on the processor. Trials in frozen fields have none: the host does them by itself.
inline auto hostEngine(EngineKind<PairEngine>, int threads, const Checkpoint&) {
  return hostPairEngine(threads);
}
inline auto hostEngine(EngineKind<SpmeEngine>, int threads, const Checkpoint&) {
  return hostSpmeEngine(threads);
}
inline auto hostEngine(EngineKind<ShapeEngine>, int threads, const Checkpoint&) {
  return hostShapeEngine(threads);
}
inline auto hostEngine(EngineKind<LevelEngine>, int, const Checkpoint&) { return hostLevelEngine(); }
inline auto hostEngine(EngineKind<CorrelationEngine>, int, const Checkpoint&) {
  return hostCorrelationEngine();
}
inline std::unique_ptr<EnergyService> hostEngine(EngineKind<EnergyService>, int threads,
                                                 const Checkpoint& checkpoint) {
  return std::make_unique<HostEnergyService>(threads, checkpoint);
}
inline std::unique_ptr<TrialGatherer> hostEngine(EngineKind<TrialGatherer>, int, const Checkpoint&) {
  return nullptr;
}

/// What the CUDA library offers: energies of many calculations, distances between atoms, particle-mesh sums,
/// sums over triangles, levels and lines, sums of second order, trials in frozen fields, and one calculation
/// from stored integrals. All functions throw Error with what the user can do.
class CudaBackend : public StoredSolver,
                    public EngineMakers<EnergyService, PairEngine, SpmeEngine, ShapeEngine, LevelEngine,
                                        CorrelationEngine, TrialDevice> {
 public:
  /// Name of the GPU, "NVIDIA H200".
  virtual std::string device() const = 0;
  /// GPUs that this process may use; their numbers count from 0.
  virtual int visibleDevices() const = 0;
};

/// A backend, or one sentence on why there is none.
struct CudaBackendOrReason {
  std::unique_ptr<CudaBackend> backend;
  std::string reason;
};

/// Opens the CUDA library (the file `library`, else libcudaprophet_cuda.so beside the binary, in ../lib, or
/// in the build tree's cuda/) and takes GPU number `device`. Until it is called the program loads no GPU
/// library at all. Never throws: without library, driver or GPU `backend` is empty and `reason` says why.
CudaBackendOrReason openCudaBackend(int device = 0, const std::string& library = "");

}  // namespace prophet
