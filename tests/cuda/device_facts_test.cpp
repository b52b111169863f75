#include "cuda/core/common/device_facts.hpp"

#include <gtest/gtest.h>

namespace prophet::cuda {
namespace {

DeviceFacts usable() {
  DeviceFacts facts;
  facts.driverVersion = facts.runtimeVersion = 13000;
  facts.count = 2;
  facts.name = "NVIDIA Tesla V100";
  facts.major = 7;
  facts.hasKernels = true;
  return facts;
}

void expectWords(const DeviceFacts& facts, std::initializer_list<const char*> words) {
  const std::string text = refusal(facts);
  for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << text;
}

TEST(DeviceFacts, SayWhyAGpuCannotBeUsed) {
  EXPECT_EQ(refusal(usable()), "");
  DeviceFacts facts = usable();
  facts.hasKernels = false;
  expectWords(facts, {"GPU 0", "V100", "compute capability 7.0", "CMAKE_CUDA_ARCHITECTURES"});
  facts = usable();
  facts.status = cudaErrorInsufficientDriver;
  facts.driverVersion = 11080;
  expectWords(facts, {"11.8", "13.0", "update the driver"});
  facts.driverVersion = 0;
  EXPECT_EQ(refusal(facts), "no NVIDIA driver");
  facts = usable();
  facts.device = 2;
  expectWords(facts, {"no GPU number 2", "0 to 1"});
  facts = usable();
  facts.status = cudaErrorNoDevice;
  expectWords(facts, {"no NVIDIA GPU"});
  facts.status = cudaErrorECCUncorrectable;
  expectWords(facts, {"driver answers"});
}

TEST(DeviceFacts, OfThisMachineAreConsistent) {
  const DeviceFacts facts = factsOf(0);
  EXPECT_GE(facts.runtimeVersion, 11080);
  EXPECT_EQ(refusal(facts).empty(), facts.status == cudaSuccess && facts.count > 0 && facts.hasKernels);
  EXPECT_NE(refusal(factsOf(4096)), "");
}

}  // namespace
}  // namespace prophet::cuda
