#include "cuda/core/common/memory.hpp"

#include "cuda/core/common/buffer.hpp"
#include "cuda/core/common/handles.hpp"
#include "gpu_test.hpp"

namespace prophet::cuda {
namespace {

class DeviceMemory : public GpuTest {};

/// What a pool keeps for its owner's next calculation, another engine gets where there is nothing else.
TEST_F(DeviceMemory, IsHandedOnBetweenEngines) {
  const Stream stream;
  const DevicePool pool(stream.get());
  const std::size_t most = freeDeviceMemory(0) / 10 * 6;
  { const DeviceBuffer<char> block(most, pool); }
  stream.synchronize();
  if (pool.unused() < most) GTEST_SKIP() << "this driver has no memory pools";
  const DeviceBuffer<char> other(most);
  EXPECT_LT(pool.unused(), most);
}

TEST_F(DeviceMemory, EveryoneIsAskedBeforeItIsRefused) {
  int asked = 0;
  const SpareShare share([&] { ++asked; });
  std::size_t left = 0, all = 0;
  ASSERT_EQ(cudaMemGetInfo(&left, &all), cudaSuccess);
  EXPECT_THROW(DeviceBuffer<char>(2 * all), OutOfDeviceMemory);
  EXPECT_EQ(asked, 1);
  const Stream stream;
  const DevicePool pool(stream.get());
  EXPECT_THROW(DeviceBuffer<char>(2 * all, pool), OutOfDeviceMemory);
  EXPECT_EQ(asked, 2);
  freeDeviceMemory(2.0 * static_cast<double>(all));
  EXPECT_EQ(asked, 3);
  freeDeviceMemory(0);
  EXPECT_EQ(asked, 3);
}

/// A refusal by any library is one of memory.
TEST(LibraryErrors, OfMemoryAreToldFromOthers) {
  EXPECT_THROW(PROPHET_CUDA_CHECK(CUBLAS_STATUS_ALLOC_FAILED), OutOfDeviceMemory);
  EXPECT_THROW(PROPHET_CUDA_CHECK(CUSOLVER_STATUS_ALLOC_FAILED), OutOfDeviceMemory);
  for (const auto wrong : {CUBLAS_STATUS_EXECUTION_FAILED, CUBLAS_STATUS_NOT_INITIALIZED}) {
    try {
      PROPHET_CUDA_CHECK(wrong);
      FAIL();
    } catch (const OutOfDeviceMemory&) {
      FAIL() << "no refusal of memory";
    } catch (const CudaError&) {
    }
  }
}

}  // namespace
}  // namespace prophet::cuda
