#include <fmt/format.h>

#include "backend/cuda_plugin.hpp"
#include "common/build_tag.hpp"
#include "cuda/batch/cuda_service.hpp"
#include "cuda/common/check.hpp"
#include "cuda/scf/stored_scf.hpp"

/// The shared library's entry (see backend/cuda_plugin.hpp).
namespace prophet::cuda {
namespace {

class Backend : public CudaBackend {
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
    select();
    return cuda::runStoredScf(method.basis, problem.nucleus, problem.configuration,
                              problem.hamiltonian.speedOfLight, method.scf, settings, observer, report);
  }
  int visibleDevices() const override { return cuda::visibleDevices(); }
  std::unique_ptr<EnergyService> makeEnergyService(const std::vector<int>& devices,
                                                   int hostThreads) override {
    CudaServiceOptions options;
    options.hostThreads = hostThreads;
    options.devices = devices;
    return std::make_unique<CudaEnergyService>(options);
  }

 private:
  /// The current device belongs to the calling thread.
  void select() const { PROPHET_CUDA_CHECK(cudaSetDevice(device_)); }

  int device_;
};

/// Why device number `device` cannot be used; empty if it can.
std::string refusal(int device) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorInsufficientDriver)
    return "no NVIDIA driver, or one older than the CUDA Toolkit of this build";
  if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0))
    return "no NVIDIA GPU in this machine";
  if (status != cudaSuccess) return fmt::format("the GPU driver answers: {}", cudaGetErrorString(status));
  if (device < 0 || device >= count) {
    return fmt::format("there is no GPU number {}; this machine has {} (0 to {})", device, count, count - 1);
  }
  return {};
}

}  // namespace
}  // namespace prophet::cuda

extern "C" __attribute__((visibility("default"))) prophet::CudaBackend* cudaprophetOpenCuda(
    int device, std::string* reason) {
  try {
    *reason = prophet::cuda::refusal(device);
    return reason->empty() ? new prophet::cuda::Backend(device) : nullptr;
  } catch (const std::exception& e) {
    *reason = e.what();
    return nullptr;
  }
}

extern "C" __attribute__((visibility("default"))) const char* cudaprophetBuildTag() {
  return prophet::kBuildTag;
}
