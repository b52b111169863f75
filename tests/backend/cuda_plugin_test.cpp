#include "backend/cuda_plugin.hpp"

#include <gtest/gtest.h>

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
  // Where there is a GPU, which one is not there; else why there is none.
  const bool some = openCudaBackend(0).backend != nullptr;
  EXPECT_NE(cuda.reason.find(some ? "there is no GPU number 99" : openCudaBackend(0).reason),
            std::string::npos)
      << cuda.reason;
}

TEST(CudaPlugin, SaysWhereThereIsNoLibrary) {
  const CudaBackendOrReason cuda = openCudaBackend(0, "/nowhere/libnone.so");
  EXPECT_EQ(cuda.backend, nullptr);
  EXPECT_NE(cuda.reason.find("without its CUDA library"), std::string::npos) << cuda.reason;
}

TEST(CudaPlugin, RefusesAnotherLibrary) {
  const CudaBackendOrReason cuda = openCudaBackend(0, "/lib/x86_64-linux-gnu/libm.so.6");
  EXPECT_EQ(cuda.backend, nullptr);
  EXPECT_FALSE(cuda.reason.empty());
}

}  // namespace
}  // namespace prophet
