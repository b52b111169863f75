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

/// What the CUDA library offers. All functions throw Error with what the user can do.
class CudaBackend : public StoredSolver {
 public:
  /// Name of the GPU, "NVIDIA H200".
  virtual std::string device() const = 0;
  /// GPUs that this process may use; their numbers count from 0.
  virtual int visibleDevices() const = 0;
  /// Energies of many independent calculations on the GPUs with these numbers (empty: all that are visible).
  /// `hostThreads`: for what a GPU cannot do.
  virtual std::unique_ptr<EnergyService> makeEnergyService(const std::vector<int>& devices,
                                                           int hostThreads) = 0;
  /// Distances between atoms on the GPUs with these numbers (empty: all that are visible).
  virtual std::unique_ptr<PairEngine> makePairEngine(const std::vector<int>& devices) = 0;
  /// Particle-mesh sums of charges on the first of these GPUs.
  virtual std::unique_ptr<SpmeEngine> makeSpmeEngine(const std::vector<int>& devices) = 0;
  /// Sums over triangles on the GPUs with these numbers (empty: all that are visible).
  virtual std::unique_ptr<ShapeEngine> makeShapeEngine(const std::vector<int>& devices) = 0;
  /// Eigenpairs of levels and products of lines on the first of these GPUs.
  virtual std::unique_ptr<LevelEngine> makeLevelEngine(const std::vector<int>& devices) = 0;
  /// Sums of second order on the first of these GPUs.
  virtual std::unique_ptr<CorrelationEngine> makeCorrelationEngine(const std::vector<int>& devices) = 0;
  /// Trials in frozen fields on the first of these GPUs.
  virtual std::unique_ptr<TrialDevice> makeTrialDevice(const std::vector<int>& devices) = 0;
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
