#include "cuda/matter/mesh/cuda_spme_engine.hpp"

#include "cuda/core/common/check.hpp"
#include "cuda/core/common/devices.hpp"
#include "cuda/matter/mesh/device_spme.hpp"

namespace prophet::cuda {

CudaSpmeEngine::CudaSpmeEngine(const std::vector<int>& devices) : device_(checkedDevices(devices).front()) {}

std::string CudaSpmeEngine::name() const { return nameOf({device_}); }

Electrostatics CudaSpmeEngine::compute(const ChargedCell& cell, const SpmeParameters& parameters,
                                       SpmeTimes* times) {
  PROPHET_CUDA_CHECK(cudaSetDevice(device_));
  DeviceSpme sum(cell, parameters);
  const SpmeTimes spent = sum.run();
  if (times) *times = spent;
  return sum.result();
}

}  // namespace prophet::cuda
