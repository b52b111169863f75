#include "cuda/atoms/scf/stored_context.hpp"

namespace prophet::cuda {
namespace {

std::string currentDevice() {
  int device = 0;
  cudaDeviceProp properties;
  PROPHET_CUDA_CHECK(cudaGetDevice(&device));
  PROPHET_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  return properties.name;
}

}  // namespace

StoredContext::StoredContext() : device(currentDevice()) {}

void StoredContext::quiesce() const noexcept {
  cudaStreamSynchronize(integralStream.get());
  cudaStreamSynchronize(stream.get());
}

}  // namespace prophet::cuda
