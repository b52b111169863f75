#include "operations/backend/cuda_plugin.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

namespace prophet {
namespace {

/// A machine has a GPU where its driver made the device's file.
bool hasGpu() { return std::filesystem::exists("/dev/nvidia0"); }

TEST(CudaPlugin, GivesTheBackendOfAGpuOrSaysWhyThereIsNone) {
  const CudaBackendOrReason cuda = openCudaBackend();
  if (hasGpu()) {
    ASSERT_NE(cuda.backend, nullptr) << cuda.reason;
    EXPECT_TRUE(cuda.reason.empty());
    EXPECT_FALSE(cuda.backend->device().empty());
  } else {
    EXPECT_EQ(cuda.backend, nullptr);
    EXPECT_TRUE(std::regex_search(cuda.reason, std::regex("GPU|CUDA|NVIDIA driver"))) << cuda.reason;
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
