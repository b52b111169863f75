#include <gtest/gtest.h>

#include <cmath>

#include "atoms/correlation/partial_waves.hpp"
#include "atoms/correlation/self_energy.hpp"
#include "tests/atoms/correlation/spaces.hpp"

namespace prophet {
namespace {

constexpr int kLargestL = 10;

std::vector<double> wavesOf(const AtomProblem& problem, double density, int largestL, ThreadPool& pool) {
  CorrelationOptions options;
  options.pool = &pool;
  return secondOrder(splineSpace(problem, density, largestL, 0, pool), problem.configuration, options).waves;
}

WaveLimit limitOf(const AtomProblem& problem, double density, int largestL, ThreadPool& pool) {
  return extrapolatedWaves(wavesOf(problem, density, largestL, pool),
                           wavesOf(problem, density / kCoarserCells, largestL, pool));
}

/// What is stated as the error of a limit holds against meshes with three times as many cells and larger l.
TEST(CorrelationLimits, StatedErrorsHoldAgainstFinerMeshes) {
  struct Case {
    const char* configuration;
    double z;
  };
  ThreadPool pool(2);
  for (const Case& c : std::vector<Case>{{"1s2", 2}, {"[He] 2s2", 4}, {"[He] 2s2 2p6", 10}, {"[Ne] 3s2", 12}, {"[Ne] 3s2 3p6", 18}}) {
    const AtomProblem problem = atomOf(c.z, c.configuration, OneElectronOperator::Nonrelativistic);
    const WaveLimit usual = limitOf(problem, 1, kLargestL, pool), fine = limitOf(problem, 3, 14, pool);
    RecordProperty(c.configuration, std::to_string(fine.value));
    std::printf("%s %.8f %.1e fine %.9f %.1e\n", c.configuration, usual.value, usual.error, fine.value, fine.error);
    EXPECT_LT(std::abs(usual.value - fine.value), usual.error + fine.error) << c.configuration;
    EXPECT_LT(usual.error, 3e-4 * std::abs(usual.value)) << c.configuration;
    EXPECT_LT(fine.error, 0.2 * usual.error) << c.configuration;
  }
}

}  // namespace
}  // namespace prophet
