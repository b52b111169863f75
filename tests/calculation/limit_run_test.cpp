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

/// The parts depend on the operator; boron has an open shell.
TEST(RunLimit, TakesTheBreitInteraction) {
  const auto boron = [](const std::string& breit) {
    return runLimit(
        resolve(parseJob("B\n$contrl jobtype='limit' " + breit + " $end\n$nuc znuc=5 $end\n", "b.inp")), 1);
  };
  const LimitResult coulomb = boron(""), first = boron("breit='breit'"), gaunt = boron("breit='gaunt'"),
                    relaxed = boron("breit='breit' breitscf=t");
  EXPECT_EQ(first.energy, coulomb.energy);
  EXPECT_GT(first.parts.gaunt, 0);
  EXPECT_LT(first.parts.gauge, 0);
  EXPECT_EQ(first.firstOrder, first.parts.gaunt + first.parts.gauge);
  EXPECT_EQ(gaunt.firstOrder, first.parts.gaunt);
  EXPECT_EQ(relaxed.firstOrder, 0);
  EXPECT_NEAR(relaxed.energy, coulomb.energy + first.firstOrder, 1e-6);
  EXPECT_LT(relaxed.energy, coulomb.energy + first.firstOrder);
}

}  // namespace
}  // namespace prophet
