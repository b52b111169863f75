#include "cuda/core/common/device_facts.hpp"

namespace prophet::cuda {
namespace {

__global__ void nothing() {}

}  // namespace

bool hasKernelsFor(int device) {
  cudaFuncAttributes attributes{};
  return cudaSetDevice(device) == cudaSuccess &&
         cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(nothing)) == cudaSuccess;
}

}  // namespace prophet::cuda
