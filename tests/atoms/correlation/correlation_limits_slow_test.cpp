#include <gtest/gtest.h>

#include <cmath>

#include "atoms/correlation/partial_waves.hpp"
#include "atoms/correlation/second_order.hpp"
#include "tests/atoms/correlation/spaces.hpp"

namespace prophet {
namespace {

std::vector<double> wavesOf(const AtomProblem& problem, double density, int largestL, ThreadPool& pool) {
  CorrelationOptions options;
  options.pool = &pool;
  return secondOrder(splineSpace(problem, density, largestL, 0, pool), problem.configuration, options).waves;
}

WaveLimit limitOf(const AtomProblem& problem, double density, int largestL, ThreadPool& pool) {
  return extrapolatedWaves(wavesOf(problem, density, largestL, pool),
                           wavesOf(problem, density / kCoarserCells, largestL, pool));
}

/// What is stated as the error of a limit holds against meshes with three times as many cells and larger l,
/// and for helium against the published value.
TEST(CorrelationLimits, StatedErrorsHold) {
  struct Case {
    const char* configuration;
    double z;
  };
  ThreadPool pool(2);
  for (const Case& c : std::vector<Case>{
           {"1s2", 2}, {"[He] 2s2", 4}, {"[He] 2s2 2p6", 10}, {"[Ne] 3s2", 12}, {"[Ne] 3s2 3p6", 18}}) {
    const AtomProblem problem = atomOf(c.z, c.configuration, OneElectronOperator::Nonrelativistic);
    const WaveLimit usual = limitOf(problem, 1, 10, pool), fine = limitOf(problem, 3, 14, pool);
    EXPECT_LT(std::abs(usual.value - fine.value), usual.error) << c.configuration;
    EXPECT_LT(usual.error, 3e-4 * std::abs(usual.value)) << c.configuration;
    EXPECT_LT(fine.error, 0.2 * usual.error) << c.configuration;
    if (c.z != 2) continue;
    // R. Bukowski, B. Jeziorski and K. Szalewicz, J. Chem. Phys. 110, 4165 (1999).
    EXPECT_NEAR(usual.value, -0.0373774745, usual.error);
    EXPECT_NEAR(fine.value, -0.0373774745, 2 * fine.error);
  }
}

}  // namespace
}  // namespace prophet
