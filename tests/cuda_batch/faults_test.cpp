#include <gtest/gtest.h>

#include <atomic>

#include "cuda/batch/cuda_service.hpp"
#include "tests/service/library_calculation.hpp"

/// What a batch makes of failures on the way: none costs more than the calculation or the device that it
/// strikes.
namespace prophet::cuda {
namespace {

using batch::FaultPoint;

class CudaFaults : public ::testing::Test {
 protected:
  void SetUp() override {
    if (visibleDevices() == 0) GTEST_SKIP() << "no GPU";
  }

  static std::vector<Calculation> requests(int count) {
    std::vector<Calculation> list;
    for (int i = 0; i < count; ++i) list.push_back(test::libraryCalculation(10, 1.0 + 1e-3 * i));
    return list;
  }
  static CudaServiceOptions with(batch::Probe probe) {
    CudaServiceOptions options;
    options.devices = {0};
    options.slots = 32;
    options.batchesPerDevice = 1;
    options.probe = std::move(probe);
    return options;
  }
  static void expectAll(const std::vector<Result>& results, const std::vector<Calculation>& asked) {
    ASSERT_EQ(results.size(), asked.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Result host = computeOrReason(asked[i]);
      ASSERT_EQ(results[i].status, Status::Converged) << i << " " << results[i].reason;
      EXPECT_NEAR(results[i].energy.total, host.energy.total, 1e-12 * std::abs(host.energy.total)) << i;
    }
  }
  static bool says(const CudaEnergyService& service, const std::string& words) {
    for (const std::string& note : service.notes())
      if (note.find(words) != std::string::npos) return true;
    return false;
  }
};

TEST_F(CudaFaults, ShortMemoryMakesBatchesSmaller) {
  CudaEnergyService service(with([](FaultPoint point, int slots) {
    if (point == FaultPoint::Allocation && slots > 4) throw OutOfDeviceMemory("injected");
  }));
  const auto list = requests(20);
  expectAll(service.evaluateAll(list), list);
  EXPECT_EQ(service.leftToHost(), 0u);
  EXPECT_TRUE(says(service, "short of memory: batches of 4 instead of 32"));
}

TEST_F(CudaFaults, NoMemoryAtAllLeavesEverythingToTheHost) {
  CudaEnergyService service(with([](FaultPoint point, int) {
    if (point == FaultPoint::Allocation) throw OutOfDeviceMemory("injected");
  }));
  const auto list = requests(5);
  expectAll(service.evaluateAll(list), list);
  EXPECT_EQ(service.leftToHost(), 5u);
}

TEST_F(CudaFaults, ACalculationThatCannotBePackedFailsAlone) {
  const auto packed = std::make_shared<std::atomic<int>>(0);
  CudaEnergyService service(with([packed](FaultPoint point, int) {
    if (point == FaultPoint::Packing && ++*packed == 3) throw Error("injected");
  }));
  const auto list = requests(8);
  expectAll(service.evaluateAll(list), list);
  EXPECT_EQ(service.leftToHost(), 1u);
  EXPECT_TRUE(says(service, "could not be packed: injected"));
  EXPECT_FALSE(says(service, "failed and got no more jobs"));
}

TEST_F(CudaFaults, ALostDeviceLeavesItsCalculationsToTheHost) {
  const auto iterations = std::make_shared<std::atomic<int>>(0);
  CudaEnergyService service(with([iterations](FaultPoint point, int) {
    if (point == FaultPoint::Iteration && ++*iterations > 3)
      throw CudaError("injected: the GPU has fallen off the bus");
  }));
  const auto list = requests(12);
  expectAll(service.evaluateAll(list), list);
  EXPECT_EQ(service.leftToHost(), 12u);
  EXPECT_TRUE(says(service, "fallen off the bus"));
}

}  // namespace
}  // namespace prophet::cuda
