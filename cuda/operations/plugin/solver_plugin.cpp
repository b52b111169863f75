#include <mutex>

#include "core/common/plugin_library.hpp"
#include "cuda/atoms/correlation/cuda_correlation_engine.hpp"
#include "cuda/atoms/levels/cuda_level_engine.hpp"
#include "cuda/atoms/scf/stored_scf.hpp"
#include "cuda/core/common/check.hpp"
#include "cuda/matter/mesh/cuda_shape_engine.hpp"
#include "cuda/matter/mesh/cuda_spme_engine.hpp"
#include "cuda/operations/plugin/library_parts.hpp"

/// The second shared library's entry: what needs cuBLAS, cuSOLVER and cuFFT.
namespace prophet::cuda {
namespace {

class Solver : public StoredSolver {
 public:
  explicit Solver(int device) : device_(device) {}
  ScfResult runStoredScf(const AtomProblem& problem, const BasisMethod& method,
                         const StoredSettings& settings, const ScfObserver& observer,
                         StoredReport* report) override {
    const std::lock_guard<std::mutex> alone(mutex_);
    // This library has a copy of the CUDA runtime of its own, which knows nothing of the other's device.
    PROPHET_CUDA_CHECK(cudaSetDevice(device_));
    try {
      if (!context_) context_ = std::make_unique<StoredContext>();
      return cuda::runStoredScf(method.basis, problem.nucleus, problem.configuration,
                                problem.hamiltonian.speedOfLight, method.scf, settings, observer, report,
                                *context_);
    } catch (const DeviceError&) {
      context_.reset();  // the next calculation begins with nothing that has failed
      throw;
    }
  }

 private:
  int device_;
  std::mutex mutex_;
  std::unique_ptr<StoredContext> context_;
};

using Engines =
    Making<Making<Making<Making<LibraryParts, SpmeEngine, CudaSpmeEngine>, ShapeEngine, CudaShapeEngine>,
                  LevelEngine, CudaLevelEngine>,
           CorrelationEngine, CudaCorrelationEngine>;

class Parts : public Engines {
 public:
  void shareSpareMemory(SpareMemory& memory) override { useSpareMemory(memory); }
  std::unique_ptr<StoredSolver> makeStoredSolver(int device) override {
    return std::make_unique<Solver>(device);
  }
};

}  // namespace
}  // namespace prophet::cuda

extern "C" __attribute__((visibility("default"))) prophet::cuda::LibraryParts* cudaprophetLibraryParts() {
  static prophet::cuda::Parts parts;
  return &parts;
}

extern "C" __attribute__((visibility("default"))) const char* cudaprophetBuildTag() {
  return prophet::kBuildTag;
}
