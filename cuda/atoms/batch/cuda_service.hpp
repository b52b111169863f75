#pragma once
#include <memory>
#include <vector>

#include "atoms/service/energy_service.hpp"
#include "cuda/atoms/batch/batch_runner.hpp"

namespace prophet::cuda {

struct CudaServiceOptions {
  std::vector<int> devices;  ///< empty: all that are visible
  int slots = 512;           ///< calculations side by side in one batch
  int batchesPerDevice = 3;  ///< of one shape: while one batch decides on the host, the others compute
  /// Batches of all shapes: the few calculations of each shape that mixed work has leave most of a GPU idle.
  int mixedBatches = 6;
  int hostThreads = 0;   ///< for what the device cannot do; 0: as many as this process may use
  bool profile = false;  ///< measure phases (slows batches down)
  /// Called in the batches' threads before device memory is taken (for `slots` calculations), a calculation
  /// is packed, and an iteration; for tests.
  batch::Probe probe{};
};

/// Energies in batches on one or several GPUs: requests are grouped by shape, batches of several shapes run
/// side by side, every batch takes new requests as others finish, and requests that the batched kernels do
/// not cover run on the host. All devices are fed from one queue. A request that offers spinors starts from
/// them, projected on the device, and from the default guess where they do not fit or lead nowhere; a request
/// that keeps its spinors gets them.
class CudaEnergyService : public EnergyService {
 public:
  /// Throws CudaError if there is no usable device.
  explicit CudaEnergyService(const CudaServiceOptions& options = {});
  /// Finishes what was submitted.
  ~CudaEnergyService() override;
  void submit(Calculation calculation, Callback done) override;
  std::string description() const override;
  int sideBySide() const override;
  /// GPUs that failed on the way, and how many requests went to the host and why.
  std::vector<std::string> notes() const override;
  /// Requests that went to the host so far.
  std::size_t leftToHost() const;
  /// Device seconds by phase since the start; zero unless `profile` was set.
  batch::PhaseTimes phaseTimes() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// GPUs that this process sees; 0 without a driver.
int visibleDevices();

}  // namespace prophet::cuda
