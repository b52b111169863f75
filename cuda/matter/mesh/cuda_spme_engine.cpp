#include "cuda/matter/mesh/cuda_spme_engine.hpp"

#include "cuda/core/common/check.hpp"
#include "cuda/core/common/devices.hpp"

namespace prophet::cuda {

CudaSpmeEngine::CudaSpmeEngine(const std::vector<int>& devices) : device_(checkedDevices(devices).front()) {}

std::string CudaSpmeEngine::name() const { return nameOf({device_}); }

Electrostatics CudaSpmeEngine::compute(const ChargedCell& cell, const SpmeParameters& parameters,
                                       SpmeTimes* times) {
  PROPHET_CUDA_CHECK(cudaSetDevice(device_));
  if (!kept_ || !kept_->serves(parameters)) {
    kept_.reset();  // its memory first
    kept_ = std::make_unique<DeviceSpme>(parameters);
  }
  try {
    return kept_->compute(cell, parameters, times);
  } catch (...) {
    kept_.reset();
    throw;
  }
}

}  // namespace prophet::cuda
