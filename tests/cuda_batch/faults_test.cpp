#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "cuda/atoms/batch/cuda_service.hpp"
#include "tests/atoms/service/library_calculation.hpp"

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

/// An error that is not the device's costs the batch that it strikes, and the device goes on.
TEST_F(CudaFaults, AnErrorOfTheHostCostsItsBatchOnly) {
  const auto iterations = std::make_shared<std::atomic<int>>(0);
  CudaEnergyService service(with([iterations](FaultPoint point, int) {
    if (point == FaultPoint::Iteration && ++*iterations == 2) throw std::runtime_error("injected");
  }));
  const auto list = requests(12);
  expectAll(service.evaluateAll(list), list);
  EXPECT_EQ(service.leftToHost(), 12u);
  EXPECT_TRUE(says(service, "its batch could not go on: injected"));
  EXPECT_FALSE(says(service, "failed and got no more jobs"));
  expectAll(service.evaluateAll(list), list);
  EXPECT_EQ(service.leftToHost(), 12u);
}

/// The service ends while jobs wait, workers without work have gone, and then the device is lost.
TEST_F(CudaFaults, JobsThatWaitWhenTheServiceEndsAreAnswered) {
  const auto failNow = std::make_shared<std::atomic<bool>>(false);
  const auto running = std::make_shared<std::atomic<bool>>(false);
  CudaServiceOptions options = with([=](FaultPoint point, int) {
    if (point != FaultPoint::Iteration) return;
    *running = true;
    while (!*failNow) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    throw CudaError("injected: lost while the service ends");
  });
  options.slots = 4;
  std::atomic<int> answers{0};
  auto service = std::make_unique<CudaEnergyService>(options);
  const auto list = requests(20);
  for (const Calculation& request : list)
    service->submit(request, [&](const Result& result) { answers += result.status == Status::Converged; });
  while (!*running) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::thread ending([&] { service.reset(); });
  // The others leave as soon as they see that the service ends.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  *failNow = true;
  ending.join();
  EXPECT_EQ(answers, 20);
}

}  // namespace
}  // namespace prophet::cuda
