#include "cuda/core/common/staged_copies.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/cuda/gpu_test.hpp"

namespace prophet::cuda {
namespace {

class CudaStagedCopies : public GpuTest {};

/// There and back, in pieces of the ring's buffers and beyond all of them; several downloads on their way at
/// once.
TEST_F(CudaStagedCopies, BringBackWhatTheyTook) {
  std::mt19937_64 random(1);
  const Stream stream;
  StagedCopies copies(3);
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{1000}, (std::size_t{2} << 20) + 1, (std::size_t{13} << 20) + 5}) {
    SCOPED_TRACE(count);
    std::vector<std::uint64_t> given(count);
    for (auto& number : given) number = random();
    DeviceBuffer<std::uint64_t> device(count);
    copies.upload(device.data(), given.data(), count * 8, stream.get());
    std::vector<std::uint64_t> back(count), half(count / 2), again(count);
    copies.touch(back.data(), count * 8);
    copies.download(back.data(), device.data(), count * 8, stream.get());
    copies.download(half.data(), device.data() + (count - count / 2), count / 2 * 8, stream.get());
    copies.download(again.data(), device.data(), count * 8, stream.get());
    copies.finish();
    EXPECT_TRUE(back == given);
    EXPECT_TRUE(again == given);
    EXPECT_TRUE(std::equal(half.begin(), half.end(), given.end() - static_cast<std::ptrdiff_t>(half.size())));
  }
}

}  // namespace
}  // namespace prophet::cuda
