#include "backend/cuda_plugin.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace prophet {
namespace {

/// Whatever this machine has, the answer is a backend or a reason, never both and never an exception.
TEST(CudaPlugin, GivesBackendOrReason) {
  const CudaBackendOrReason cuda = openCudaBackend();
  EXPECT_NE(cuda.backend == nullptr, cuda.reason.empty());
  if (cuda.backend) {
    EXPECT_FALSE(cuda.backend->device().empty());
  }
}

TEST(CudaPlugin, NamesAMissingDevice) {
  const CudaBackendOrReason cuda = openCudaBackend(99);
  EXPECT_EQ(cuda.backend, nullptr);
  EXPECT_FALSE(cuda.reason.empty());
}

TEST(CudaPlugin, SaysWhereThereIsNoLibrary) {
  setenv("CUDAPROPHET_CUDA_LIBRARY", "/nowhere/libnone.so", 1);
  const CudaBackendOrReason cuda = openCudaBackend();
  unsetenv("CUDAPROPHET_CUDA_LIBRARY");
  EXPECT_EQ(cuda.backend, nullptr);
  EXPECT_NE(cuda.reason.find("without its CUDA library"), std::string::npos) << cuda.reason;
}

TEST(CudaPlugin, RefusesAnotherLibrary) {
  setenv("CUDAPROPHET_CUDA_LIBRARY", "/lib/x86_64-linux-gnu/libm.so.6", 1);
  const CudaBackendOrReason cuda = openCudaBackend();
  unsetenv("CUDAPROPHET_CUDA_LIBRARY");
  EXPECT_EQ(cuda.backend, nullptr);
  EXPECT_FALSE(cuda.reason.empty());
}

}  // namespace
}  // namespace prophet
