#include "atoms/service/energy_service.hpp"

#include <gtest/gtest.h>

#include "library_calculation.hpp"

namespace prophet {
namespace {

TEST(HostWork, GrowsWithTheAtom) {
  double last = 0;
  for (const int z : {2, 10, 24, 54, 86}) {
    const double seconds = hostSeconds(test::libraryCalculation(z));
    EXPECT_GT(seconds, last) << z;
    last = seconds;
  }
  // Symmetries that no electron occupies cost nothing.
  Calculation helium = test::libraryCalculation(2);
  const double before = hostSeconds(helium);
  helium.inBasis().basis.symmetries.push_back(test::libraryCalculation(86).inBasis().basis.symmetries[1]);
  EXPECT_EQ(hostSeconds(helium), before);
}

TEST(HostWork, AGpuIsForManyOrLargeJobsAndFewThreads) {
  const Calculation radon = test::libraryCalculation(86), helium = test::libraryCalculation(2);
  const auto enough = static_cast<std::size_t>(kGpuPaysAfter / hostSeconds(radon)) + 1;
  const auto load = [&](const Calculation& request) {
    return [&](std::size_t) { return std::optional(request); };
  };
  EXPECT_FALSE(worthAGpu(0, 1, load(radon)));
  EXPECT_FALSE(worthAGpu(enough - 1, 1, load(radon)));
  EXPECT_TRUE(worthAGpu(enough, 1, load(radon)));
  EXPECT_FALSE(worthAGpu(enough, 2, load(radon)));
  EXPECT_FALSE(worthAGpu(enough, 1, load(helium)));
  // The processor computes these anyway.
  Calculation corrected = radon;
  corrected.problem.hamiltonian.shell = {1.0, 4.0};
  EXPECT_FALSE(worthAGpu(2 * enough, 1, load(corrected)));
  corrected = radon;
  corrected.problem.hamiltonian.qed.selfEnergy = true;
  EXPECT_TRUE(worthAGpu(enough, 1, load(corrected)));
}

TEST(HostWork, LooksAtNoMoreJobsThanItMust) {
  std::size_t loaded = 0;
  EXPECT_TRUE(worthAGpu(1000000, 1, [&](std::size_t) {
    ++loaded;
    return std::optional(test::libraryCalculation(86));
  }));
  EXPECT_LT(loaded, 1000u);
  EXPECT_FALSE(worthAGpu(100, 1, [](std::size_t) { return std::optional<Calculation>(); }));
}

}  // namespace
}  // namespace prophet
