#include <gtest/gtest.h>

#include "from_text.hpp"

namespace prophet {
namespace {

using test::calculationFrom;
using Id = EnergyPartId;

/// `control`: more keywords of $contrl.
Result limitOf(const std::string& groups, const std::string& control = "") {
  return compute(calculationFrom("$contrl jobtype='limit' " + control + " $end\n" + groups));
}

/// Finite differences (basis_sets/reference): Be, point nucleus.
TEST(ComputeLimit, BerylliumFromItsChargeAlone) {
  const Result r = limitOf("$nuc znuc=4 nucmdl=1 $end");
  EXPECT_TRUE(r.ok());
  EXPECT_NEAR(r.energy.total, -14.575892266403274, 1e-11);
}

TEST(ComputeLimit, TakesIterationsSpeedOfLightAndConfiguration) {
  const Result early = limitOf("$nuc znuc=4 $end\n$scf maxitr=2 $end");
  EXPECT_EQ(early.status, Status::NotConverged);
  EXPECT_TRUE(test::warns(early, "not_converged"));
  // Hydrogen-like with c = 1e5: -Z^2/2 to 1e-8.
  const Result r = limitOf("$nuc znuc=2.5 nucmdl=1 $end\n$seconfig config='1s1' $end\n", "c=1d5");
  EXPECT_NEAR(r.energy.total, -2.5 * 2.5 / 2, 1e-8);
}

TEST(ComputeLimit, WarnsOfStrongPointNuclei) {
  const auto at = [](const std::string& nuc) {
    return limitOf("$nuc " + nuc + " $end\n$seconfig config='1s1' $end\n");
  };
  EXPECT_TRUE(test::warns(at("znuc=119 nucmdl=1"), "strong_point_nucleus"));
  EXPECT_FALSE(test::warns(at("znuc=118 nucmdl=1"), "strong_point_nucleus"));
  EXPECT_FALSE(test::warns(at("znuc=119 nucmdl=3 mass=300"), "strong_point_nucleus"));
}

TEST(ComputeLimit, TellsAnObserverOfEachIteration) {
  std::vector<LimitStep> steps;
  Resources resources;
  resources.limitObserver = [&](const LimitStep& step) { steps.push_back(step); };
  const Result r = compute(calculationFrom("$contrl jobtype='limit' $end $nuc znuc=4 $end"), resources);
  ASSERT_TRUE(r.ok());
  ASSERT_FALSE(steps.empty());
  EXPECT_EQ(steps.front().resolution, 1);
  EXPECT_EQ(steps.front().iteration, 1);
  EXPECT_EQ(steps.back().resolution, 2);
  EXPECT_EQ(steps.back().iteration, r.limit->resolutions.back().iterations);
  EXPECT_EQ(steps.back().residual, r.limit->resolutions.back().residual);
  EXPECT_LT(steps.back().residual, steps.back().threshold);
  EXPECT_GT(steps.front().residual, steps.front().threshold);
}

/// The parts depend on the operator; boron has an open shell.
TEST(ComputeLimit, TakesTheBreitInteraction) {
  const auto boron = [](const std::string& breit) { return limitOf("$nuc znuc=5 $end\n", breit).energy; };
  const EnergyBreakdown coulomb = boron(""), first = boron("breit='breit'"), gaunt = boron("breit='gaunt'"),
                        relaxed = boron("breit='breit' breitscf=t");
  EXPECT_EQ(first.total, coulomb.total);
  EXPECT_GT(first.value(Id::Gaunt), 0);
  EXPECT_LT(first.value(Id::BreitGauge), 0);
  EXPECT_EQ(first.firstOrder(), first.value(Id::Gaunt) + first.value(Id::BreitGauge));
  EXPECT_EQ(gaunt.firstOrder(), first.value(Id::Gaunt));
  EXPECT_EQ(relaxed.firstOrder(), 0);
  EXPECT_NEAR(relaxed.total, coulomb.total + first.firstOrder(), 1e-6);
  EXPECT_LT(relaxed.total, coulomb.total + first.firstOrder());
}

/// Breit and QED parts in an accurate basis set (`groups`) against the limit, first order and
/// self-consistent, each to `tolerance` of the part.
void expectPartsAgree(const std::string& nucleus, const std::string& groups, double tolerance) {
  for (const std::string scf : {"f", "t"}) {
    const std::string keywords =
        "breit='breit' breitscf=" + scf + " qedvp='full' qedse='inner' qedscf=" + scf + " $end\n" + nucleus;
    const Result e = compute(calculationFrom("$contrl " + keywords + groups), {2});
    const Result limit = compute(calculationFrom("$contrl jobtype='limit' " + keywords), {2});
    ASSERT_TRUE(e.ok() && limit.ok());
    const std::vector<EnergyPart> parts = correctionsOf(limit.energy);
    EXPECT_EQ(correctionsOf(e.energy).size(), 6u);
    ASSERT_EQ(parts.size(), 6u);
    double inField = 0;
    for (const EnergyPart& part : limit.energy.parts)
      inField += part.treatment == Treatment::SelfConsistent ? part.value : 0;
    EXPECT_NEAR(inField / limit.energy.total, 1.0, 1e-12);
    for (const EnergyPart& part : parts) {
      EXPECT_EQ(part.treatment == Treatment::SelfConsistent, scf == "t");
      ASSERT_TRUE(e.energy.has(part.id));
      EXPECT_EQ(e.energy.find(part.id)->treatment, part.treatment);
      EXPECT_NEAR(e.energy.value(part.id) / part.value, 1.0, tolerance) << nucleus << keyOf(part.id);
    }
  }
}

/// Library sets, which are within 5e-9 of the limit's energy, and a large even-tempered one.
TEST(ComputeLimit, PartsAgreeWithNeonsBasis) { expectPartsAgree("$nuc znuc=10 nucmdl=3 $end\n", "", 4e-6); }
TEST(ComputeLimit, PartsAgreeWithRubidiumsBasis) {
  expectPartsAgree("$nuc znuc=37 nucmdl=3 $end\n", "", 4e-7);
}
TEST(ComputeLimit, PartsAgreeWithRadonsBasis) { expectPartsAgree("$nuc znuc=86 nucmdl=3 $end\n", "", 4e-7); }
TEST(ComputeLimit, PartsAgreeWithLithiumlikeUraniumsBasis) {
  expectPartsAgree("$nuc znuc=92 nucmdl=4 $end\n$seconfig config='1s2 2s1' $end\n",
                   "$bas nsym=1 bastype='wtbs' $end\n$wtbs wtbspara=10.0,1.9,1.0,0.0 nbs=34 $end\n", 4e-7);
}

}  // namespace
}  // namespace prophet
