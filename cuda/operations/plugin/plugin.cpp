#include "operations/backend/cuda_plugin.hpp"

#include <mutex>
#include <utility>

#include "core/common/plugin_library.hpp"
#include "cuda/atoms/batch/cuda_service.hpp"
#include "cuda/atoms/frozen/cuda_trial_device.hpp"
#include "cuda/core/common/check.hpp"
#include "cuda/core/common/device_facts.hpp"
#include "cuda/matter/pairs/cuda_pair_engine.hpp"
#include "cuda/operations/plugin/library_parts.hpp"

/// The shared library's entry (see backend/cuda_plugin.hpp).
namespace prophet::cuda {
namespace {

/// The library of what needs cuBLAS, cuSOLVER and cuFFT, opened when it is needed: it is beside this one.
LibraryParts& libraryParts() {
  static const PluginEntry plugin =
      openPlugin({"libcudaprophet_cuda_solver.so", "", "cuda", "cudaprophetLibraryParts"});
  if (!plugin.found)
    throw CudaError("the library libcudaprophet_cuda_solver.so is missing; install the program anew");
  if (!plugin.function) throw CudaError("libcudaprophet_cuda_solver.so " + plugin.problem);
  static LibraryParts* const parts = [] {
    LibraryParts* made = reinterpret_cast<LibraryPartsEntry>(plugin.function)();
    made->shareSpareMemory(spareMemory());
    return made;
  }();
  return *parts;
}

/// A maker that has engines of these kinds made by the second library.
template <class Maker, class... Engines>
class Lending : public Maker {};
template <class Maker, class Engine, class... Others>
class Lending<Maker, Engine, Others...> : public Lending<Maker, Others...> {
 public:
  using Lending<Maker, Others...>::make;
  std::unique_ptr<Engine> make(EngineKind<Engine> kind, const std::vector<int>& devices,
                               int hostThreads) override {
    return libraryParts().make(kind, devices, hostThreads);
  }
};
/// With the kinds that LibraryParts lists.
template <class... Engines>
Lending<CudaBackend, Engines...> lendingAll(const EngineMakers<Engines...>&);
using Lender = decltype(lendingAll(std::declval<LibraryParts&>()));

class Backend : public Lender {
 public:
  explicit Backend(int device) : device_(device) { select(); }

  std::string device() const override {
    cudaDeviceProp properties;
    PROPHET_CUDA_CHECK(cudaGetDeviceProperties(&properties, device_));
    return properties.name;
  }
  ScfResult runStoredScf(const AtomProblem& problem, const BasisMethod& method,
                         const StoredSettings& settings, const ScfObserver& observer,
                         StoredReport* report) override {
    return storedSolver().runStoredScf(problem, method, settings, observer, report);
  }
  int visibleDevices() const override { return cuda::visibleDevices(); }
  using Lender::make;
  std::unique_ptr<EnergyService> make(EngineKind<EnergyService>, const std::vector<int>& devices,
                                      int hostThreads) override {
    CudaServiceOptions options;
    options.hostThreads = hostThreads;
    options.devices = devices;
    return std::make_unique<CudaEnergyService>(options);
  }
  std::unique_ptr<PairEngine> make(EngineKind<PairEngine>, const std::vector<int>& devices, int) override {
    return std::make_unique<CudaPairEngine>(devices);
  }
  std::unique_ptr<TrialDevice> make(EngineKind<TrialDevice>, const std::vector<int>& devices, int) override {
    TrialDeviceOptions options;
    options.device = devices.empty() ? device_ : devices.front();
    return std::make_unique<CudaTrialDevice>(options);
  }

 private:
  /// The current device belongs to the calling thread.
  void select() const { PROPHET_CUDA_CHECK(cudaSetDevice(device_)); }

  StoredSolver& storedSolver() {
    const std::lock_guard<std::mutex> alone(makingSolver_);
    if (!storedSolver_) storedSolver_ = libraryParts().makeStoredSolver(device_);
    return *storedSolver_;
  }

  int device_;
  std::mutex makingSolver_;
  std::unique_ptr<StoredSolver> storedSolver_;
};

}  // namespace
}  // namespace prophet::cuda

extern "C" __attribute__((visibility("default"))) prophet::CudaBackend* cudaprophetOpenCuda(
    int device, std::string* reason) {
  try {
    *reason = prophet::cuda::refusal(prophet::cuda::factsOf(device));
    return reason->empty() ? new prophet::cuda::Backend(device) : nullptr;
  } catch (const std::exception& e) {
    *reason = e.what();
    return nullptr;
  }
}

extern "C" __attribute__((visibility("default"))) const char* cudaprophetBuildTag() {
  return prophet::kBuildTag;
}
