#include "service/host_work.hpp"

#include <gtest/gtest.h>

#include "requests.hpp"

namespace prophet {
namespace {

TEST(HostWork, GrowsWithTheAtom) {
  double last = 0;
  for (const int z : {2, 10, 24, 54, 86}) {
    const double seconds = hostSeconds(test::libraryRequest(z));
    EXPECT_GT(seconds, last) << z;
    last = seconds;
  }
  // Symmetries that no electron occupies cost nothing.
  EnergyRequest helium = test::libraryRequest(2);
  const double before = hostSeconds(helium);
  helium.basis.symmetries.push_back(test::libraryRequest(86).basis.symmetries[1]);
  EXPECT_EQ(hostSeconds(helium), before);
}

TEST(HostWork, AGpuIsForManyOrLargeJobsAndFewThreads) {
  const EnergyRequest radon = test::libraryRequest(86), helium = test::libraryRequest(2);
  const auto enough = static_cast<std::size_t>(kGpuPaysAfter / hostSeconds(radon)) + 1;
  const auto load = [&](const EnergyRequest& request) {
    return [&](std::size_t) { return std::optional(request); };
  };
  EXPECT_FALSE(worthAGpu(0, 1, load(radon)));
  EXPECT_FALSE(worthAGpu(enough - 1, 1, load(radon)));
  EXPECT_TRUE(worthAGpu(enough, 1, load(radon)));
  EXPECT_FALSE(worthAGpu(enough, 2, load(radon)));
  EXPECT_FALSE(worthAGpu(enough, 1, load(helium)));
  // The processor computes these anyway.
  EnergyRequest corrected = radon;
  corrected.qed.selfEnergy = true;
  EXPECT_FALSE(worthAGpu(2 * enough, 1, load(corrected)));
}

TEST(HostWork, LooksAtNoMoreJobsThanItMust) {
  std::size_t loaded = 0;
  EXPECT_TRUE(worthAGpu(1000000, 1, [&](std::size_t) {
    ++loaded;
    return std::optional(test::libraryRequest(86));
  }));
  EXPECT_LT(loaded, 1000u);
  EXPECT_FALSE(worthAGpu(100, 1, [](std::size_t) { return std::optional<EnergyRequest>(); }));
}

}  // namespace
}  // namespace prophet
