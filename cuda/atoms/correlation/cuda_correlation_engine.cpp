#include "cuda/atoms/correlation/cuda_correlation_engine.hpp"

#include "cuda/atoms/correlation/cuda_sums.hpp"
#include "cuda/core/common/check.hpp"
#include "cuda/core/common/devices.hpp"

namespace prophet::cuda {

CudaCorrelationEngine::CudaCorrelationEngine(const std::vector<int>& devices)
    : device_(devices.empty() ? 0 : devices.front()) {
  PROPHET_CUDA_CHECK(cudaSetDevice(device_));
}

std::string CudaCorrelationEngine::name() const { return nameOf({device_}); }

std::unique_ptr<PairSums> CudaCorrelationEngine::sums(const PairExcitations& excitations) {
  PROPHET_CUDA_CHECK(cudaSetDevice(device_));
  return cudaPairSums(device_, excitations);
}

std::unique_ptr<SigmaSums> CudaCorrelationEngine::sums(const SelfEnergyTerms& terms) {
  PROPHET_CUDA_CHECK(cudaSetDevice(device_));
  return cudaSigmaSums(device_, terms);
}

}  // namespace prophet::cuda
