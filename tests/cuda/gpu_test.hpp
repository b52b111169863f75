#pragma once
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <string>

namespace prophet::cuda {

/// Base of all tests that need a GPU: skips itself, saying why, where there is none.
class GpuTest : public ::testing::Test {
 protected:
  void SetUp() override {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess) GTEST_SKIP() << "no usable GPU: " << cudaGetErrorString(status);
    if (count == 0) GTEST_SKIP() << "no GPU in this machine";
  }
};

}  // namespace prophet::cuda
