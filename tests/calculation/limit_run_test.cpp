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

/// Breit and QED parts in an accurate basis set (`groups`) against the limit, first order and
/// self-consistent, each to `tolerance` of the part.
void expectPartsAgree(const std::string& nucleus, const std::string& groups, double tolerance) {
  for (const std::string scf : {"f", "t"}) {
    const std::string keywords =
        "breit='breit' breitscf=" + scf + " qedvp='full' qedse='inner' qedscf=" + scf + " $end\n" + nucleus;
    const Calculation basis = resolve(parseJob("t\n$contrl " + keywords + groups + "\n", "t.inp"));
    const Calculation numerical = resolve(parseJob("t\n$contrl jobtype='limit' " + keywords + "\n", "t.inp"));
    const EnergyResult e = calculateEnergy(basis, RunOptions{2});
    const LimitResult limit = runLimit(numerical, 2);
    ASSERT_TRUE(e.scf.converged && limit.converged);
    const std::vector<EnergyCorrection> parts = limitCorrections(numerical, limit);
    ASSERT_EQ(parts.size(), e.corrections.size());
    ASSERT_EQ(parts.size(), 6u);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      EXPECT_EQ(parts[i].name, e.corrections[i].name);
      EXPECT_EQ(parts[i].selfConsistent, scf == "t");
      EXPECT_NEAR(e.corrections[i].value / parts[i].value, 1.0, tolerance) << nucleus << parts[i].name;
    }
  }
}

/// Library sets, which are within 5e-9 of the limit's energy, and a large even-tempered one.
TEST(RunLimit, PartsAgreeWithNeonsBasis) { expectPartsAgree("$nuc znuc=10 nucmdl=3 $end\n", "", 4e-6); }
TEST(RunLimit, PartsAgreeWithRubidiumsBasis) { expectPartsAgree("$nuc znuc=37 nucmdl=3 $end\n", "", 4e-7); }
TEST(RunLimit, PartsAgreeWithRadonsBasis) { expectPartsAgree("$nuc znuc=86 nucmdl=3 $end\n", "", 4e-7); }
TEST(RunLimit, PartsAgreeWithLithiumlikeUraniumsBasis) {
  expectPartsAgree("$nuc znuc=92 nucmdl=4 $end\n$seconfig config='1s2 2s1' $end\n",
                   "$bas nsym=1 bastype='wtbs' $end\n$wtbs wtbspara=10.0,1.9,1.0,0.0 nbs=34 $end\n", 4e-7);
}

}  // namespace
}  // namespace prophet
