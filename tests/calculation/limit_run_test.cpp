#include "calculation/limit_run.hpp"

#include <gtest/gtest.h>

#include "input/parse_job.hpp"

namespace prophet {
namespace {

LimitResult limitOf(const std::string& groups) {
  return runLimit(resolve(parseJob("test\n$contrl jobtype='limit' $end\n" + groups + "\n", "test.inp")), 1);
}

/// Finite differences (basis_sets/reference): Be, point nucleus.
TEST(RunLimit, BerylliumFromItsChargeAlone) {
  const LimitResult r = limitOf("$nuc znuc=4 $end");
  EXPECT_TRUE(r.converged);
  EXPECT_NEAR(r.energy, -14.575892266403274, 1e-11);
}

TEST(RunLimit, TakesIterationsSpeedOfLightAndConfiguration) {
  EXPECT_FALSE(limitOf("$nuc znuc=4 $end\n$scf maxitr=2 $end").converged);
  // Hydrogen-like with c = 1e5: -Z^2/2 to 1e-8.
  const LimitResult r =
      runLimit(resolve(parseJob(
                   "t\n$contrl jobtype='limit' c=1d5 $end\n$nuc znuc=2.5 $end\n$seconfig config='1s1' $end\n",
                   "t.inp")),
               1);
  EXPECT_NEAR(r.energy, -2.5 * 2.5 / 2, 1e-8);
}

}  // namespace
}  // namespace prophet
